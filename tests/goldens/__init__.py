"""What must not change by accident: see README.md beside this file."""
