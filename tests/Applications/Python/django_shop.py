"""A Django site with django-redis as its cache and its sessions, called by Django's own test client."""

import sys
import threading

import django
from django.conf import settings
from django.core.cache import cache
from django.http import HttpResponse, JsonResponse
from django.test import Client
from django.urls import path
from django.views.decorators.cache import cache_page

from scenarios import refuses, run, until

HOUR = 3600
built = []

# Django wants them before the views are defined.
settings.configure(
    ALLOWED_HOSTS=["testserver"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="known to all instances",
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware"],
    SESSION_ENGINE="django.contrib.sessions.backends.cache",
    SESSION_COOKIE_AGE=HOUR,
    CACHES={
        "default": {
            "BACKEND": "django_redis.cache.RedisCache",
            "LOCATION": f"redis://127.0.0.1:{sys.argv[1]}/1",
            "OPTIONS": {"CLIENT_CLASS": "django_redis.client.DefaultClient"},
            "KEY_PREFIX": "shop",
        }
    },
)
django.setup()


def add_to_cart(request, goods):
    request.session["cart"] = request.session.get("cart", []) + [goods]
    return JsonResponse(request.session["cart"], safe=False)


def leave(request):
    request.session.flush()
    return HttpResponse()


@cache_page(HOUR)
def catalogue(request):
    built.append(request.path)
    return HttpResponse(f"version {len(built)}")


urlpatterns = [
    path("cart/<goods>", add_to_cart),
    path("leave", leave),
    path("catalogue", catalogue),
]


def values(_):
    assert cache.get("k") is None and cache.get("k", "default") == "default"
    cache.set("k", {"name": "cup", "prices": [5, 2.5]}, timeout=100)
    assert cache.get("k") == {"name": "cup", "prices": [5, 2.5]}
    assert 0 < cache.ttl("k") <= 100
    assert cache.add("k", 1) is False and cache.add("new", 1) is True
    assert cache.get_or_set("made", lambda: "value", 100) == "value" and cache.get("made") == "value"
    assert "k" in cache and cache.has_key("k")
    assert cache.delete("k") and not cache.delete("k")
    cache.set("other version", 2, version=2)
    assert cache.get("other version") is None and cache.get("other version", version=2) == 2
    cache.clear()
    assert cache.get("new") is None


def several(_):
    cache.set_many({f"m:{i}": i for i in range(500)}, timeout=100)
    assert cache.get_many([f"m:{i}" for i in range(501)]) == {f"m:{i}": i for i in range(500)}
    assert cache.delete_many([f"m:{i}" for i in range(400)]) == 400
    assert sorted(cache.keys("m:*")) == sorted(f"m:{i}" for i in range(400, 500))
    assert len(list(cache.iter_keys("m:*", itersize=10))) == 100
    assert cache.delete_pattern("m:*") == 100


def expiry(_):
    cache.set("k", "v", timeout=None)
    assert cache.ttl("k") is None
    assert cache.expire("k", 100) and 0 < cache.ttl("k") <= 100
    assert cache.pexpire("k", 100_000) and 0 < cache.pttl("k") <= 100_000
    assert cache.touch("k", HOUR) and cache.ttl("k") > 100
    assert cache.persist("k") and cache.ttl("k") is None
    cache.set("short", "v", timeout=1)
    until(lambda: cache.get("short") is None)
    cache.set("gone", "v", timeout=0)
    assert cache.get("gone") is None


def sessions(_):
    visitor = Client()
    assert visitor.get("/cart/cup").json() == ["cup"]
    again = Client()
    again.cookies = visitor.cookies
    assert again.get("/cart/plate").json() == ["cup", "plate"]
    assert Client().get("/cart/fork").json() == ["fork"]
    key = visitor.cookies["sessionid"].value
    assert HOUR - 100 < cache.ttl(f"django.contrib.sessions.cache{key}") <= HOUR
    visitor.get("/leave")
    again.cookies["sessionid"] = key
    assert again.get("/cart/knife").json() == ["knife"]


def pages(_):
    assert Client().get("/catalogue").content == b"version 1"
    assert Client().get("/catalogue").content == b"version 1"
    cache.clear()
    assert Client().get("/catalogue").content == b"version 2"


def lock_is_exclusive(_):
    assert cache.lock("lock", timeout=100).acquire()
    assert not cache.lock("lock", timeout=100).acquire(blocking=False)


def lock_is_released(_):
    with cache.lock("lock", timeout=100):
        assert not cache.lock("lock", timeout=100).acquire(blocking=False)
    assert cache.lock("lock", timeout=100).acquire(blocking=False)


def counters(_):
    cache.set("n", 1, timeout=100)
    assert cache.incr("n") == 2 and cache.incr("n", 10) == 12 and cache.decr("n", 2) == 10
    assert 0 < cache.ttl("n") <= 100


def counters_are_exact(_):
    refuses(ValueError, lambda: cache.incr("missing"))
    cache.set("n", 0, timeout=100)
    visitors = [threading.Thread(target=lambda: [cache.incr("n") for _ in range(100)]) for _ in range(8)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert cache.get("n") == 800


if __name__ == "__main__":
    run([
        values, several, expiry, sessions, pages, lock_is_exclusive, lock_is_released, counters,
        counters_are_exact,
    ])
