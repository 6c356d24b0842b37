"""A shop whose orders RQ's workers carry out: rq_tasks.py."""

import os
import signal
import sys
import time
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta, timezone

import redis
from rq import Queue, Retry, Worker
from rq.command import send_stop_job_command
from rq.job import Job
from rq.registry import FailedJobRegistry, FinishedJobRegistry, ScheduledJobRegistry, StartedJobRegistry

from scenarios import run, running, until

# The tasks look for it when they are imported; to list the scenarios takes no server.
os.environ["STRATA_TEST_PORT"] = sys.argv[1] if sys.argv[1] != "list" else "0"
import rq_tasks
from rq_tasks import notes

HERE = os.path.dirname(os.path.abspath(__file__))
r = redis.Redis("127.0.0.1", int(os.environ["STRATA_TEST_PORT"]))


@contextmanager
def worker(name, *options, queues=("default",)):
    url = f"redis://127.0.0.1:{sys.argv[1]}"
    arguments = ["--quiet", "--url", url, "--path", HERE, "--name", name]
    with running("-m", "rq.cli", "worker", *arguments, *options, *queues) as process:
        until(lambda: any(found.name == name for found in Worker.all(connection=r)))
        yield process


def queue(name="default"):
    return Queue(name, connection=r)


def await_status(job, *statuses):
    until(lambda: job.get_status() in statuses)
    return job.get_status()


def jobs_run_once(_):
    q = queue()
    single = [q.enqueue(rq_tasks.ship, order, 2) for order in range(10)]
    batch = q.enqueue_many([Queue.prepare_data(rq_tasks.ship, args=(order, 2)) for order in range(10, 20)])
    with ExitStack() as stack:
        for name in ("one", "two"):
            stack.enter_context(worker(name))
        for order, job in enumerate(single + batch):
            assert await_status(job, "finished", "failed") == "finished", job.exc_info
            assert job.result == order
    assert notes.mget(f"ran:{order}" for order in range(20)) == ["1"] * 20
    assert len(q) == 0 and len(FinishedJobRegistry(queue=q)) == 20 and len(StartedJobRegistry(queue=q)) == 0


def retried(_):
    q = queue()
    shaky = q.enqueue(rq_tasks.shaky, "shaky", retry=Retry(max=5))
    later = q.enqueue(rq_tasks.shaky, "later", retry=Retry(max=5, interval=[0, 1]))
    closed = q.enqueue(rq_tasks.closed, "closed", retry=Retry(max=1))
    with worker("one", "--with-scheduler"):
        assert await_status(closed, "failed") == "failed"
        assert "OSError: closed" in Job.fetch(closed.id, connection=r).exc_info
        assert notes.get("ran:closed") == "2"
        assert FailedJobRegistry(queue=q).get_job_ids() == [closed.id]
        await_status(shaky, "finished")
        await_status(later, "finished")
        assert notes.mget("ran:shaky", "ran:later") == ["3", "3"]
        notes.set("open", 1)
        FailedJobRegistry(queue=q).requeue(closed.id)
        await_status(closed, "finished")
        assert FailedJobRegistry(queue=q).get_job_ids() == []


def scheduled(_):
    q = queue()
    began = time.time()
    soon = q.enqueue_in(timedelta(seconds=1), rq_tasks.now)
    late = q.enqueue_at(datetime.now(timezone.utc) + timedelta(hours=1), rq_tasks.now)
    assert sorted(ScheduledJobRegistry(queue=q).get_job_ids()) == sorted([soon.id, late.id])
    with worker("one", "--with-scheduler"):
        await_status(soon, "finished")
        assert soon.result >= int(began + 1)  # the registry is in whole seconds
    assert late.get_status() == "scheduled"
    late.cancel()
    assert late.get_status() == "canceled" and len(ScheduledJobRegistry(queue=q)) == 0


def dependencies(_):
    q = queue()
    first = q.enqueue(rq_tasks.note, "first")
    second = q.enqueue(rq_tasks.note, "second", depends_on=first)
    third = q.enqueue(rq_tasks.note, "third", depends_on=[first, second])
    never = q.enqueue(rq_tasks.note, "never", depends_on=q.enqueue(rq_tasks.closed, "closed"))
    assert second.get_status() == "deferred" and third.get_status() == "deferred"
    with worker("one"):
        await_status(third, "finished")
    assert notes.lrange("notes", 0, -1) == ["first", "second", "third"]
    assert never.get_status() == "deferred"


def several_queues(_):
    low, high = queue("low"), queue("high")
    jobs = [low.enqueue(rq_tasks.note, "low"), high.enqueue(rq_tasks.note, "high")]
    front = high.enqueue(rq_tasks.note, "front", at_front=True)
    gone = low.enqueue(rq_tasks.note, "gone")
    gone.delete()
    with worker("one", "--burst", queues=("high", "low")) as process:
        process.wait()
    assert [job.get_status() for job in [*jobs, front]] == ["finished"] * 3
    assert notes.lrange("notes", 0, -1) == ["front", "high", "low"]
    for _ in range(100):
        low.enqueue(rq_tasks.note, "emptied")
    assert low.empty() == 100 and len(low) == 0 and r.keys("rq:job:*") != []
    low.delete()
    assert Queue.all(connection=r) == [high]


def stopped_and_lost(_):
    """A job that is told to stop fails; so does one whose process dies, and its worker goes on."""
    q = queue()
    told = q.enqueue(rq_tasks.hold, "told")
    with worker("one"):
        until(lambda: notes.exists("pid:told"))
        send_stop_job_command(r, told.id)
        await_status(told, "stopped")
        killed = q.enqueue(rq_tasks.hold, "killed")
        until(lambda: notes.exists("pid:killed"))
        os.kill(int(notes.get("pid:killed")), signal.SIGKILL)
        assert await_status(killed, "failed") == "failed"
        notes.set("gate", "open")
        await_status(q.enqueue(rq_tasks.hold, "next"), "finished")


if __name__ == "__main__":
    run([jobs_run_once, retried, scheduled, dependencies, several_queues, stopped_and_lost])
