"""What a shop has RQ's workers do. rq_shop.py and the workers import it; the environment tells the port."""

import os
import time

import redis
from rq import get_current_job

from scenarios import until

notes = redis.Redis("127.0.0.1", int(os.environ["STRATA_TEST_PORT"]), db=2, decode_responses=True)


def ship(order, workers):
    """Counts how often the order was carried out, and waits until that many workers have one."""
    notes.incr(f"ran:{order}")
    notes.sadd("workers", get_current_job().worker_name)
    until(lambda: notes.scard("workers") >= workers)
    return order


def shaky(order):
    if notes.incr(f"ran:{order}") < 3:
        raise OSError("not yet")


def closed(order):
    notes.incr(f"ran:{order}")
    if not notes.exists("open"):
        raise OSError("closed")


def now():
    return time.time()


def note(text):
    notes.rpush("notes", text)


def hold(order):
    """Says which process carries the order out, and waits until the gate opens."""
    notes.set(f"pid:{order}", os.getpid())
    until(lambda: notes.exists("gate"))
