"""Upgrades of the database from earlier versions, step by step."""
