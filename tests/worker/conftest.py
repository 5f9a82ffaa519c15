from tests.store.fixtures import *  # noqa: F403
from tests.worker.fixtures import *  # noqa: F403
from tests.worker.real import *  # noqa: F403
