"""Many tables: one server collects their records, shows all of them, and counts a league."""
