"""Runtime: devices, threads, launches and their graphs, compiled host code, the kernel cache, small algebra."""
