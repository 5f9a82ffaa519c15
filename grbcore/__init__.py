"""The Graph Robustness Benchmark as a library: graphs, attacks, defenses, evaluation, ranking."""

__version__ = "0.1.0"
