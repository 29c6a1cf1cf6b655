"""Clusters: games and positions shared among machines by Dask."""

CLUSTERS = (("cluster:Cluster",),)
