"""The workers that evaluate submissions."""
