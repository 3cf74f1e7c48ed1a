"""A camera of one seat's own: the standing hand that only its player may see."""
