"""What is compared with the reference, one kind of work in each module."""
