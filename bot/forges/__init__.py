"""Where changes go: GitHub, or a folder that shows what would go there."""
