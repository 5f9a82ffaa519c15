"""White-box robustness curves of graph-level architectures: ``grb study expressive``.

`plan` says which runs, `weights` trains and keeps models, `running` does what is missing, `store`
keeps it, `results` says what it says, `report` writes it down, `paper` is what the thesis printed.
"""
