"""Which element for what: error against unknowns and against time, and the orders of convergence."""
