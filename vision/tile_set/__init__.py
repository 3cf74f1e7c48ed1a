"""An owner's set of tiles, learnt from pictures or from a game so that it is read better."""
