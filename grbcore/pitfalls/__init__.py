"""Many splits and initialisations: the evaluation protocol of Shchur et al. (2018)."""
