"""Compiled searches: integers and arrays in and out. They know nothing of the classes outside."""
