"""A shop whose orders Celery's workers carry out: celery_tasks.py."""

import os
import sys
import time
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta, timezone

import redis
from celery import chain, chord, group

from scenarios import refuses, run, running, until

# The tasks look for it when they are imported; to list the scenarios takes no server.
os.environ["STRATA_TEST_PORT"] = sys.argv[1] if sys.argv[1] != "list" else "0"
from celery_tasks import add, app, closed, hold, note, notes, now, shaky, ship, total

HERE = os.path.dirname(os.path.abspath(__file__))
HOUR = 3600
PATIENCE = 100  # seconds: the test that started the process ends it later


@contextmanager
def worker(name, *options):
    command = ["-m", "celery", "-A", "celery_tasks", "--workdir", HERE, "worker", "-n", f"{name}@shop", "-c", "2"]
    with running(*command, "--loglevel", "WARNING", *options) as process:
        until(lambda: app.control.ping([f"{name}@shop"], timeout=0.5, limit=1))
        yield process


@contextmanager
def workers(*names, options=()):
    with ExitStack() as stack:
        yield [stack.enter_context(worker(name, *options)) for name in names]


def tasks_run_once(_):
    with workers("one", "two"):
        results = group(ship.s(order, 2) for order in range(100))()
        assert results.get(timeout=PATIENCE) == list(range(100))
    assert notes.mget(f"ran:{order}" for order in range(100)) == ["1"] * 100


def later(_):
    with workers("one"):
        began = time.time()
        assert now.apply_async(countdown=1).get(timeout=PATIENCE) >= began + 1
        eta = datetime.now(timezone.utc) + timedelta(seconds=0.5)
        assert now.apply_async(eta=eta).get(timeout=PATIENCE) >= eta.timestamp()
        expired = now.apply_async(countdown=0, expires=-1)
        refuses(Exception, lambda: expired.get(timeout=PATIENCE))
        assert expired.state == "REVOKED"


def retried(_):
    with workers("one"):
        assert shaky.delay("shaky").get(timeout=PATIENCE) == 2
        assert notes.get("ran:shaky") == "3"
        result = closed.delay("closed")
        assert refuses(OSError, lambda: result.get(timeout=PATIENCE)) == "closed"
        assert result.state == "FAILURE" and "OSError" in result.traceback
        assert notes.get("ran:closed") == "3"


def ready(result):
    """Waits for the last result of a workflow. Celery listens for it only when it is asked for, does not wait until
    it does before it looks whether the result is there, on another connection, and so misses one that comes in
    between."""
    until(result.ready)
    return result


def workflows(_):
    with workers("one"):
        assert ready(chain(add.s(1, 2), add.s(3), add.s(4))()).get(timeout=PATIENCE) == 10
        assert group(add.s(i, i) for i in range(10))().get(timeout=PATIENCE) == [2 * i for i in range(10)]
        assert ready(chord((add.s(i, i) for i in range(20)), total.s())()).get(timeout=PATIENCE) == 380
        nested = chain(group(add.s(i, 1) for i in range(5)), total.s(), add.s(100))
        assert ready(nested()).get(timeout=PATIENCE) == 115
        failing = ready(chord([add.s(1, 1), closed.s("in a chord")], total.s())())
        assert "closed" in refuses(Exception, lambda: failing.get(timeout=PATIENCE))
        add.apply_async((1, 2), link=[note.si("linked")])
        closed.apply_async(("linked",), link_error=[note.si("failed")])
        until(lambda: sorted(notes.lrange("notes", 0, -1)) == ["failed", "linked"])


def queues_and_control(_):
    """Nobody works off what waits in a queue until somebody listens to it; its order is by priority."""
    with workers("one", options=["-c", "1", "--prefetch-multiplier", "1"]):
        for text, priority in [("c", 9), ("a", 0), ("b", 6)]:
            note.apply_async((text,), queue="slow", priority=priority)
        gone = note.apply_async(("revoked",), queue="slow", priority=3)
        assert app.control.inspect(timeout=PATIENCE, limit=1).active_queues()["one@shop"][0]["name"] == "celery"
        late = note.apply_async(("late",), countdown=HOUR)
        until(lambda: (app.control.inspect(timeout=PATIENCE, limit=1).scheduled() or {}).get("one@shop"))
        late.revoke()
        gone.revoke()
        app.control.add_consumer("slow", reply=True, timeout=PATIENCE, limit=1)
        until(lambda: notes.llen("notes") == 3)
        assert notes.lrange("notes", 0, -1) == ["a", "b", "c"]
        until(lambda: gone.state == "REVOKED")


def prefetched_tasks_are_given_back(_):
    """A worker that ends hands the tasks that it has taken but not begun to the others."""
    with workers("one", options=["--prefetch-multiplier", "8"]) as (first,):
        results = [hold.delay(order) for order in range(10)]
        until(lambda: redis.Redis("127.0.0.1", int(sys.argv[1])).hlen("unacked") == 8)
        until(lambda: len(notes.keys("ran:*")) == 2)
        assert app.control.ping(timeout=PATIENCE, limit=1)  # it has heard by now that its children began
        first.terminate()
        until(lambda: not app.control.ping(timeout=0.5))
        notes.set("gate", "open")
        first.wait()
    assert len(notes.keys("ran:*")) == 2
    with workers("two"):
        assert [result.get(timeout=PATIENCE) for result in results] == list(range(10))
    assert notes.mget(f"ran:{order}" for order in range(10)) == ["1"] * 10


def results_are_kept_and_forgotten(_):
    with workers("one"):
        result = add.delay(1, 2)
        assert result.get(timeout=PATIENCE) == 3
        key = f"celery-task-meta-{result.id}"
        assert 0 < app.backend.client.ttl(key) <= 24 * HOUR
        assert app.AsyncResult(result.id).result == 3
        result.forget()
        assert app.backend.client.exists(key) == 0
        assert app.AsyncResult(result.id).state == "PENDING"


if __name__ == "__main__":
    run([
        tasks_run_once, later, retried, workflows, queues_and_control, prefetched_tasks_are_given_back,
        results_are_kept_and_forgotten,
    ])
