"""Run the fake by itself: `python -m tests.github_fake --root DIR --port N`."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path

from .hub import GitHubFake


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.github_fake", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="folder for the bare repos")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--repo", default="acme/context", help="owner/name")
    parser.add_argument("--from", dest="folder", type=Path, help="folder of its first commit")
    options = parser.parse_args()
    # A shell lets what it starts in the background ignore an interrupt; this must end by one.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with GitHubFake(options.root, options.port) as hub:
        files = None if options.folder else {"README.md": "# Context\n"}
        hub.create_repo(options.repo, folder=options.folder, files=files)
        print(hub.base_url, flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
