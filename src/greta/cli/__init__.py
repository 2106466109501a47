"""The command `greta`: one file per subcommand."""
