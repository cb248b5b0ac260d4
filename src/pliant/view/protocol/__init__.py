"""Messages between page and server, and who may send them."""
