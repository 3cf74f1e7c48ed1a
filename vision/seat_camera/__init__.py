"""The camera of one seat: the standing hand that only its player may see."""
