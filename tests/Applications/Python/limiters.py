"""The limiters of limits, and a Flask site behind Flask-Limiter."""

import multiprocessing
import time

import redis
from flask import Flask
from flask_limiter import Limiter
from limits import RateLimitItemPerHour, RateLimitItemPerSecond
from limits.storage import storage_from_string
from limits.strategies import (
    FixedWindowElasticExpiryRateLimiter,
    FixedWindowRateLimiter,
    MovingWindowRateLimiter,
)

from scenarios import run, until

HOUR = 3600
PROCESSES = 3
TRIES = 100


storages = []  # a limiter refers to its storage weakly


def limiter_of(strategy, port):
    storages.append(storage_from_string(f"redis://127.0.0.1:{port}"))
    return strategy(storages[-1])


def visitor(strategy, item, port, begin, allowed):
    limiter = limiter_of(strategy, port)
    begin.wait()
    allowed.put(sum(limiter.hit(item, "visitor") for _ in range(TRIES)))


def allowed_among_processes(strategy, item, port):
    """How often three processes are allowed to go on that try 100 times each, all at once."""
    begin, allowed = multiprocessing.Barrier(PROCESSES), multiprocessing.Queue()
    visitors = [
        multiprocessing.Process(target=visitor, args=(strategy, item, port, begin, allowed), daemon=True)
        for _ in range(PROCESSES)
    ]
    for process in visitors:
        process.start()
    total = sum(allowed.get() for _ in visitors)
    for process in visitors:
        process.join()
    return total


def fixed_window_is_exact(port):
    assert allowed_among_processes(FixedWindowRateLimiter, RateLimitItemPerHour(130), port) == 130


def moving_window_is_exact(port):
    assert allowed_among_processes(MovingWindowRateLimiter, RateLimitItemPerHour(130), port) == 130


def elastic_window_is_exact(port):
    assert allowed_among_processes(FixedWindowElasticExpiryRateLimiter, RateLimitItemPerHour(130), port) == 130


def windows_end(port):
    for strategy in (FixedWindowRateLimiter, MovingWindowRateLimiter, FixedWindowElasticExpiryRateLimiter):
        limiter = limiter_of(strategy, port)
        item = RateLimitItemPerSecond(1, 2, strategy.__name__)
        assert limiter.hit(item, "visitor")
        if strategy is FixedWindowElasticExpiryRateLimiter:
            until(lambda: limiter.test(item, "visitor"))  # every hit, a refused one too, begins its window anew
            assert limiter.hit(item, "visitor")
        else:
            until(lambda: limiter.hit(item, "visitor"))


def counts_and_statistics(port):
    for strategy in (FixedWindowRateLimiter, MovingWindowRateLimiter):
        limiter = limiter_of(strategy, port)
        item = RateLimitItemPerHour(5, 1, strategy.__name__)
        assert limiter.hit(item, "visitor", cost=3) and limiter.hit(item, "visitor")
        assert limiter.test(item, "visitor") and limiter.test(item, "another")
        assert not limiter.hit(item, "visitor", cost=3)
        reset, remaining = limiter.get_window_stats(item, "visitor")
        # A refused cost counts in a fixed window, not in a moving one.
        assert remaining == (0 if strategy is FixedWindowRateLimiter else 1)
        assert time.time() < reset <= time.time() + HOUR + 1
        limiter.clear(item, "visitor")
        assert limiter.get_window_stats(item, "visitor")[1] == 5
        assert limiter.hit(item, "visitor", cost=5) and not limiter.hit(item, "visitor")


def storage_is_reset(port):
    limiter = limiter_of(FixedWindowRateLimiter, port)
    item = RateLimitItemPerHour(1)
    r = redis.Redis("127.0.0.1", port)
    r.set("another's", 1)
    visitors = [str(i) for i in range(1000)]
    assert all(limiter.hit(item, name) for name in visitors)
    assert storages[-1].reset() == 1000
    assert r.keys() == [b"another's"]
    assert all(limiter.hit(item, name) for name in visitors)


def flask_site(port):
    app = Flask(__name__)
    limiter = Limiter(
        lambda: "visitor", app=app, storage_uri=f"redis://127.0.0.1:{port}", strategy="moving-window",
        headers_enabled=True, default_limits=["3 per hour"])
    searches = limiter.shared_limit("2 per hour", scope="searches")

    @app.route("/orders")
    def orders():
        return "ordered"

    @app.route("/free")
    @limiter.exempt
    def free():
        return "free"

    @app.route("/find")
    @searches
    def find():
        return "found"

    @app.route("/seek")
    @searches
    def seek():
        return "sought"

    browser = app.test_client()

    answers = [browser.get("/orders") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert [browser.get("/free").status_code for _ in range(5)] == [200] * 5
    assert [browser.get(path).status_code for path in ("/find", "/seek", "/find")] == [200, 200, 429]
    limiter.reset()
    assert browser.get("/orders").status_code == 200


if __name__ == "__main__":
    run([
        fixed_window_is_exact, moving_window_is_exact, elastic_window_is_exact, windows_end, counts_and_statistics,
        storage_is_reset, flask_site,
    ])
