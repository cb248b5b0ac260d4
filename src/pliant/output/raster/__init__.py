"""Software renderer: depth buffer, triangles, rays."""
