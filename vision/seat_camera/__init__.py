"""The camera of one seat, which sees the standing hand that only its player may see."""
