"""Run the command line with ``python -m bummerl_cli``."""

from bummerl_cli.main import main

main()
