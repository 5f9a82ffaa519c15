"""What benchmarks share: graphs made for them, and the clock."""
