"""Studies: ``run(**options)`` of each module yields (name, value, unit) rows, which ``python -m benchmarks NAME`` prints."""
