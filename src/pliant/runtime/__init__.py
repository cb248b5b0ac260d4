"""Runtime: devices, threads, launch graphs, compiled host code, kernel cache."""
