"""What a shop has Celery's workers do, with its broker and its results on the server under test. celery_shop.py and
the workers import it; the environment tells the port."""

import os
import time

import redis
from celery import Celery

from scenarios import until

port = int(os.environ["STRATA_TEST_PORT"])
app = Celery("shop", broker=f"redis://127.0.0.1:{port}/0", backend=f"redis://127.0.0.1:{port}/1")
app.conf.broker_transport_options = {"queue_order_strategy": "priority"}  # BRPOP finds the most urgent one first
notes = redis.Redis("127.0.0.1", port, db=2, decode_responses=True)


@app.task
def add(a, b):
    return a + b


@app.task(bind=True)
def ship(self, order, workers):
    """Counts how often the order was carried out, and waits until that many workers have one."""
    notes.incr(f"ran:{order}")
    notes.sadd("workers", self.request.hostname)
    until(lambda: notes.scard("workers") >= workers)
    return order


@app.task
def hold(order):
    """Counts how often the order was carried out, and waits until the gate opens."""
    notes.incr(f"ran:{order}")
    until(lambda: notes.exists("gate"))
    return order


@app.task
def now():
    return time.time()


@app.task(bind=True, max_retries=5)
def shaky(self, order):
    if notes.incr(f"ran:{order}") < 3:
        raise self.retry(countdown=0)
    return self.request.retries


@app.task(autoretry_for=(OSError,), retry_backoff=False, default_retry_delay=0, max_retries=2)
def closed(order):
    notes.incr(f"ran:{order}")
    raise OSError("closed")


@app.task
def note(text):
    notes.rpush("notes", text)


@app.task
def total(amounts):
    return sum(amounts)
