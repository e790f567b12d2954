// Runs the `run` steps of a composite action for real, as a GitHub runner would: expressions by
// GitHub's own evaluator, bash with the runner's flags, the files for outputs, variables, path and
// summary. Steps with `uses` are left out.
//
//   RUNNER_TEMP=FOLDER node run_composite.mjs ACTION_FOLDER WORKSPACE < {"inputs": {...}}
//
// The log goes to stderr; stdout gets {"job", "outputs", "steps", "summary"}. Exit 1: the action
// failed. Exit 2: it was called wrongly.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import YAML from "yaml";

const STATUS = /\b(success|failure|always|cancelled)\s*\(/;
const SHELLS = { bash: ["bash", "--noprofile", "--norc", "-eo", "pipefail"], sh: ["sh", "-e"] };

function resolveInputs(declared, given) {
  const unknown = Object.keys(given).filter((name) => !(name in declared));
  if (unknown.length) throw new Error(`unexpected input ${unknown.join(", ")}`);
  const resolved = {};
  for (const [name, input] of Object.entries(declared)) {
    if (input.required && input.default === undefined && given[name] === undefined)
      throw new Error(`input ${name} is required`);
    resolved[name] = String(given[name] ?? input.default ?? "");
  }
  return resolved;
}

function toData(value) {
  if (value === null || typeof value !== "object") return new data.StringData(String(value ?? ""));
  const pairs = Object.entries(value).map(([key, inner]) => ({ key, value: toData(inner) }));
  return new data.Dictionary(...pairs);
}

function evaluate(source, context, job) {
  const answers = { success: job === "success", failure: job === "failure", always: true, cancelled: false };
  const functions = Object.entries(answers).map(([name, answer]) => ({
    name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(answer),
  }));
  const parser = new Parser(new Lexer(source).lex().tokens, Object.keys(context), functions);
  const named = new Map(functions.map((one) => [one.name, one]));
  return new Evaluator(parser.parse(), toData(context), named).evaluate().coerceString();
}

function substitute(text, context, job) {
  return String(text).replace(/\$\{\{(.*?)\}\}/gs, (_, source) => evaluate(source.trim(), context, job));
}

function applies(step, context, job) {
  const bare = String(step.if ?? "success()").trim().replace(/^\$\{\{(.*)\}\}$/s, "$1").trim();
  const condition = STATUS.test(bare) ? bare : `success() && (${bare})`;
  return !["false", "", "0"].includes(evaluate(condition, context, job));
}

// The runner's own file format: `name=value`, or `name<<delimiter`, lines, delimiter.
function parsePairs(text) {
  const pairs = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, name, operator, rest] = lines[at].match(/^(.*?)(=|<<)(.*)$/s) ?? [];
    if (operator === "=") pairs[name] = rest;
    if (operator !== "<<") continue;
    const end = lines.indexOf(rest, at + 1);
    if (end < 0) throw new Error(`${name}: the delimiter ${rest} does not come`);
    pairs[name] = lines.slice(at + 1, end).join("\n");
    at = end;
  }
  return pairs;
}

function runStep(step, number, { context, job, temp, workspace, action, path: extraPath }) {
  const files = {};
  for (const name of ["OUTPUT", "ENV", "PATH", "STEP_SUMMARY"]) {
    files[`GITHUB_${name}`] = path.join(temp, `${number}-${name}`);
    fs.writeFileSync(files[`GITHUB_${name}`], "");
  }
  const script = path.join(temp, `${number}.sh`);
  fs.writeFileSync(script, substitute(step.run, context, job));
  const shell = SHELLS[step.shell];
  if (!shell) throw new Error(`step ${number}: shell ${step.shell} is missing or not known here`);
  const env = {
    ...process.env, ...context.env, ...files, CI: "true", GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: action, GITHUB_WORKSPACE: workspace, RUNNER_OS: "Linux",
    PATH: [...extraPath, process.env.PATH].join(path.delimiter),
  };
  const cwd = path.resolve(workspace, substitute(step["working-directory"] ?? ".", context, job));
  const done = spawnSync(shell[0], [...shell.slice(1), script], { cwd, env, stdio: ["ignore", 2, 2] });
  const read = (name) => fs.readFileSync(files[`GITHUB_${name}`], "utf8");
  return {
    ok: done.status === 0,
    exitCode: done.status,
    outputs: parsePairs(read("OUTPUT")),
    env: parsePairs(read("ENV")),
    path: read("PATH").split("\n").filter(Boolean),
    summary: read("STEP_SUMMARY"),
  };
}

function runAction(folder, workspace, { inputs: given = {} }) {
  const action = path.resolve(folder);
  const declared = YAML.parse(fs.readFileSync(path.join(action, "action.yml"), "utf8"));
  const inputs = resolveInputs(declared.inputs ?? {}, given);
  // As in a job, what one action leaves in RUNNER_TEMP is there for the next.
  const temp = process.env.RUNNER_TEMP;
  const steps = {}, report = [];
  let job = "success", env = {}, extraPath = [], summary = "";
  const contextWith = (own) => ({
    inputs, steps, env: { ...env, ...own }, runner: { os: "Linux", temp },
    github: { action_path: action, workspace },
  });
  for (const [index, step] of declared.runs.steps.entries()) {
    const name = step.name ?? `step ${index + 1}`;
    const skipped = !step.run || !applies(step, contextWith({}), job);
    if (skipped) {
      report.push({ name, outcome: "skipped" });
      if (step.id) steps[step.id] = { outputs: {}, outcome: "skipped", conclusion: "skipped" };
      continue;
    }
    console.error(`-- ${name}`);
    const own = {};
    for (const [key, value] of Object.entries(step.env ?? {})) own[key] = substitute(value, contextWith(own), job);
    const done = runStep(step, index + 1, { context: contextWith(own), job, temp, workspace, action, path: extraPath });
    const outcome = done.ok ? "success" : "failure";
    if (step.id) steps[step.id] = { outputs: done.outputs, outcome, conclusion: outcome };
    report.push({ name, outcome, "exit-code": done.exitCode });
    env = { ...env, ...done.env };
    extraPath = [...done.path, ...extraPath];
    summary += done.summary;
    if (!done.ok && !step["continue-on-error"]) job = "failure";
  }
  const outputs = {};
  for (const [name, output] of Object.entries(declared.outputs ?? {}))
    outputs[name] = substitute(output.value, contextWith({}), job);
  return { job, outputs, steps: report, summary };
}

try {
  const [folder, workspace] = process.argv.slice(2);
  const result = runAction(folder, path.resolve(workspace), JSON.parse(fs.readFileSync(0, "utf8")));
  console.log(JSON.stringify(result));
  process.exitCode = result.job === "success" ? 0 : 1;
} catch (problem) {
  console.error(String(problem.message ?? problem));
  process.exitCode = 2;
}
