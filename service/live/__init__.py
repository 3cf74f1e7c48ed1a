"""A table while it is played: its camera, its record, who may see and mend what."""
