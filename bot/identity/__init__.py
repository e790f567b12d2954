"""What makes a finding, a unit and a pull request the same as last time."""
