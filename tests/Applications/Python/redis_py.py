"""redis-py as an application uses it, with its default settings unless a scenario says otherwise."""

import asyncio
import threading

import redis
import redis.asyncio
from redis.exceptions import LockError, ResponseError, WatchError

from scenarios import TooOld, refuses, run, until


def client(port, **settings):
    return redis.Redis("127.0.0.1", port, decode_responses=True, **settings)


def values(port):
    r = client(port)
    assert r.set("k", "v", ex=100, nx=True) is True
    assert r.set("k", "w", nx=True) is None
    assert r.set("k", "w", get=True) == "v"
    assert r.ttl("k") == -1
    assert r.expire("k", 100) is True and 0 < r.ttl("k") <= 100
    assert r.incr("n", 5) == 5
    assert r.incrbyfloat("f", 1.5) == 1.5
    assert r.mset({"a": 1, "b": 2}) is True
    assert r.mget("a", "b", "missing") == ["1", "2", None]
    assert r.getex("a", ex=10) == "1" and r.getdel("a") == "1" and r.exists("a") == 0
    raw = redis.Redis("127.0.0.1", port)
    raw.set(b"\x00\r\n", bytes(range(256)))
    assert raw.get(b"\x00\r\n") == bytes(range(256))
    assert "value is not an integer" in refuses(ResponseError, lambda: r.incr("k"))


def collections(port):
    r = client(port)
    assert r.hset("h", mapping={"name": "cup", "price": 5}) == 2
    assert r.hgetall("h") == {"name": "cup", "price": "5"}
    assert r.rpush("l", 1, 2, 3) == 3 and r.lrange("l", 0, -1) == ["1", "2", "3"]
    assert r.sadd("s", "x", "y") == 2 and r.smembers("s") == {"x", "y"}
    assert r.zadd("z", {"one": 1, "two": 2.5}) == 2
    assert r.zrange("z", 0, -1, withscores=True) == [("one", 1.0), ("two", 2.5)]
    assert r.zscore("z", "two") == 2.5 and r.zscore("z", "missing") is None
    assert r.sort("l", desc=True) == ["3", "2", "1"]


def resp3(port):
    if int(redis.__version__.split(".", 1)[0]) < 5:
        raise TooOld(f"redis-py {redis.__version__} speaks RESP2 only")
    r = client(port, protocol=3)
    assert r.hset("h", mapping={"name": "cup"}) == 1 and r.hgetall("h") == {"name": "cup"}
    assert r.zadd("z", {"two": 2.5}) == 1 and r.zscore("z", "two") == 2.5
    assert r.sadd("s", "x") == 1 and r.smembers("s") == {"x"}
    assert r.config_get("maxmemory") == {"maxmemory": "0"}


def pipeline(port):
    r = client(port)
    with r.pipeline(transaction=False) as batch:
        for i in range(1000):
            batch.set(f"p:{i}", i).get(f"p:{i}")
        replies = batch.execute()
    assert replies[1::2] == [str(i) for i in range(1000)]
    with r.pipeline(transaction=False) as batch:
        mixed = batch.lpush("p:0", 1).get("p:1").execute(raise_on_error=False)
    assert isinstance(mixed[0], ResponseError) and mixed[1] == "1"


def transaction(port):
    r, other = client(port), client(port)
    with r.pipeline() as batch:
        assert batch.set("t", 1).incr("t").get("t").execute() == [True, 2, "2"]
        batch.watch("t")
        assert batch.get("t") == "2"
        other.set("t", 10)
        batch.multi()
        batch.incr("t")
        refuses(WatchError, batch.execute)

    def double(batch):
        value = int(batch.get("t"))
        batch.multi()
        batch.set("t", 2 * value)

    assert r.transaction(double, "t") == [True] and r.get("t") == "20"


def messages(port):
    r = client(port)
    listener = r.pubsub(ignore_subscribe_messages=True)
    heard = []
    listener.subscribe(news=lambda message: heard.append(message["data"]))
    listener.psubscribe(**{"n*": lambda message: heard.append(message["channel"])})
    thread = listener.run_in_thread(sleep_time=0.01)
    until(lambda: r.pubsub_numsub("news") == [("news", 1)] and r.pubsub_numpat() == 1)
    assert r.publish("news", "hello") == 2
    until(lambda: sorted(heard) == ["hello", "news"])
    thread.stop()
    thread.join()


def scanning(port):
    r = client(port)
    r.mset({f"scan:{i}": i for i in range(2000)})
    r.set("other", 1)
    assert set(r.scan_iter("scan:*", count=100)) == {f"scan:{i}" for i in range(2000)}
    r.hset("h", mapping={f"f{i}": i for i in range(1000)})
    assert dict(r.hscan_iter("h")) == {f"f{i}": str(i) for i in range(1000)}


def waiting(port):
    r, pusher = client(port), client(port)
    popped = []
    thread = threading.Thread(target=lambda: popped.append(r.blpop("queue", 0)))
    thread.start()
    until(lambda: any(found["cmd"] == "blpop" for found in pusher.client_list()))
    pusher.rpush("queue", "job")
    thread.join()
    assert popped == [("queue", "job")]
    assert r.blpop("queue", 0.05) is None


def threads(port):
    r = client(port, max_connections=100)
    workers = [threading.Thread(target=lambda: [r.incr("n") for _ in range(200)]) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert r.get("n") == "1600"


def coroutines(port):
    async def work():
        r = redis.asyncio.Redis(host="127.0.0.1", port=port, decode_responses=True)
        await asyncio.gather(*(r.incr("n") for _ in range(200)))
        assert await r.get("n") == "200"
        async with r.pipeline(transaction=True) as batch:
            assert await batch.set("t", 1).incr("t").execute() == [True, 2]
        async with r.pubsub() as listener:
            await listener.subscribe("news")
            assert (await listener.get_message(timeout=None))["type"] == "subscribe"
            await r.publish("news", "hello")
            assert (await listener.get_message(timeout=None))["data"] == "hello"
        await r.close()
        await r.connection_pool.disconnect()

    asyncio.run(work())


def reconnecting(port):
    r, killer = client(port), client(port)
    number = r.client_id()
    killer.client_kill_filter(_id=number)
    until(lambda: all(int(found["id"]) != number for found in killer.client_list()))
    assert r.set("k", "v") is True and r.client_id() != number


def lock_is_exclusive(port):
    r = client(port)
    lock = r.lock("lock", timeout=100)
    assert lock.acquire() is True and lock.locked() and lock.owned()
    assert r.lock("lock").acquire(blocking=False) is False
    assert 0 < r.ttl("lock") <= 100


def lock_is_released(port):
    r = client(port)
    lock = r.lock("lock", timeout=100)
    with lock:
        assert lock.extend(100) is True and lock.reacquire() is True
    assert r.exists("lock") == 0
    assert lock.acquire()
    r.set("lock", "another's")
    refuses(LockError, lock.release)
    assert r.get("lock") == "another's"


def script(port):
    add = client(port).register_script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
    assert add(keys=["n"], args=[5]) == 5
    assert add(keys=["n"], args=[2]) == 7


def caching(port):
    if int(redis.__version__.split(".", 1)[0]) < 6:
        raise TooOld(f"redis-py {redis.__version__} keeps nothing of what it reads")
    from redis.cache import CacheConfig
    from redis.connection import CacheProxyConnection

    CacheProxyConnection.MIN_ALLOWED_VERSION = "6.0.0"  # It asks for 7.4, without a need.
    r, writer = client(port, protocol=3, cache_config=CacheConfig()), client(port)
    changes = [
        lambda: writer.set("k", "w"),
        lambda: writer.append("k", "x"),
        lambda: writer.pexpire("k", 20),
        lambda: writer.pipeline().set("k", 1).incr("k").execute(),
        lambda: writer.eval("return redis.call('SET', KEYS[1], 'scripted')", 1, "k"),
        lambda: writer.set("l", "m") and writer.rename("l", "k"),
        lambda: writer.delete("k"),
        lambda: writer.flushall(),
        lambda: r.set("k", "own"),
    ]
    for change in changes:
        writer.set("k", "v")
        until(lambda: r.get("k") == "v")
        assert r.get_cache().size == 1
        change()
        until(lambda: r.get("k") == writer.get("k"))
    assert r.hgetall("h") == {} and r.mget("a", "b") == [None, None]
    writer.pipeline().hset("h", "f", "v").set("b", 1).execute()
    until(lambda: r.hgetall("h") == {"f": "v"} and r.mget("a", "b") == [None, "1"])


if __name__ == "__main__":
    run([
        values, collections, resp3, pipeline, transaction, messages, scanning, waiting, threads, coroutines,
        reconnecting, lock_is_exclusive, lock_is_released, script, caching,
    ])
