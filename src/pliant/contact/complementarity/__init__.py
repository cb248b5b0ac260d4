"""Contact by complementarity: narrow phase, compliance, Gauss–Seidel, joints."""
