"""What the service remembers: tables, sessions, queries and blobs.  A leaf of grbcore."""
