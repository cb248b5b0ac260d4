"""Line search, stopping and the loop that solvers share."""
