"""What importers share: faults of files, the manifest that is written, going through folders."""
