"""The ``grb`` command."""
