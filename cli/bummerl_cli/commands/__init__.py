"""One module a command; each imports what it solves with only when it runs."""
