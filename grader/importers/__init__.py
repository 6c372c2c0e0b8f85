"""Public data sets, with models' outputs, to manifests."""
