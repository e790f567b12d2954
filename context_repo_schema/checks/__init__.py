"""What `validate` looks at: one module a matter, each with `check(checkout)`."""
