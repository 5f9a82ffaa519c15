"""Accounts: who may sign in and how, their sessions, and what ends an account."""

from grbcore.store.accounts import passwords, people, sessions, throttle

__all__ = ["passwords", "people", "sessions", "throttle"]
