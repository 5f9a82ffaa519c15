from tests.store.fixtures import *  # noqa: F403
