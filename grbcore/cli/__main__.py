"""``python -m grbcore.cli`` is the ``grb`` command."""

from grbcore.cli.main import main

main()
