"""Public riichi logs: three forms, each read into a record and (two of them) written from one."""
