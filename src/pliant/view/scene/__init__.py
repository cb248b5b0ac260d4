"""What pages are sent of a scene."""
