'use strict';
// ioredis as an application uses it, with its default settings unless a scenario says otherwise.
const assert = require('node:assert/strict');
const { next, run, until } = require('./scenarios.js');

// Calls the body with as many clients as it takes, and closes them.
const over = (body, options = {}) => async (package_, port) => {
  const Redis = require(package_);
  const clients = [];
  for (let i = 0; i < body.length; i++) {
    clients.push(new Redis({ port, host: '127.0.0.1', ...options }));
  }

  await body(...clients);
  await Promise.all(clients.map((client) => client.quit()));
};

async function values(redis) {
  assert.equal(await redis.set('k', 'v', 'EX', 100, 'NX'), 'OK');
  assert.equal(await redis.set('k', 'w', 'NX'), null);
  assert.equal(await redis.get('k'), 'v');
  const ttl = await redis.ttl('k');
  assert.ok(ttl > 0 && ttl <= 100);
  assert.deepEqual(await redis.getBuffer('k'), Buffer.from('v'));
  assert.equal(await redis.incrby('n', 5), 5);
  assert.equal(await redis.mset({ a: 1, b: 2 }), 'OK');
  assert.deepEqual(await redis.mget('a', 'b', 'missing'), ['1', '2', null]);
  const bytes = Buffer.from([0, 13, 10, 255]);
  await redis.set(bytes, bytes);
  assert.deepEqual(await redis.getBuffer(bytes), bytes);
  await assert.rejects(redis.incr('k'), /value is not an integer/);
}

async function collections(redis) {
  await redis.hset('h', { name: 'cup', price: 5 });
  assert.deepEqual(await redis.hgetall('h'), { name: 'cup', price: '5' });
  assert.deepEqual(await redis.hgetall('missing'), {});
  await redis.rpush('l', 1, 2, 3);
  assert.deepEqual(await redis.lrange('l', 0, -1), ['1', '2', '3']);
  await redis.sadd('s', 'x', 'y');
  assert.deepEqual((await redis.smembers('s')).sort(), ['x', 'y']);
  await redis.zadd('z', 1, 'one', 2.5, 'two');
  assert.deepEqual(await redis.zrange('z', 0, -1, 'WITHSCORES'), ['one', '1', 'two', '2.5']);
  assert.deepEqual(await redis.zpopmax('z'), ['two', '2.5']);
}

async function pipeline(redis) {
  const batch = redis.pipeline();
  for (let i = 0; i < 1000; i++) {
    batch.set(`p:${i}`, i).get(`p:${i}`);
  }

  batch.lpush('p:0', 'x');
  const replies = await batch.exec();
  assert.equal(replies.length, 2001);
  assert.deepEqual(replies[1999], [null, '999']);
  assert.match(replies[2000][0].message, /^WRONGTYPE/);
}

async function autoPipelining(redis) {
  await Promise.all(Array.from({ length: 1000 }, (_, i) => redis.set(`a:${i}`, i)));
  const found = await Promise.all(Array.from({ length: 1000 }, (_, i) => redis.get(`a:${i}`)));
  assert.deepEqual(found, Array.from({ length: 1000 }, (_, i) => String(i)));
}

async function transaction(redis, other) {
  assert.deepEqual(await redis.multi().set('t', 1).incr('t').get('t').exec(), [[null, 'OK'], [null, 2], [null, '2']]);
  await redis.watch('t');
  await other.set('t', 10);
  assert.equal(await redis.multi().incr('t').exec(), null);
  assert.equal(await redis.get('t'), '10');
  const [[error]] = await redis.multi().lpush('t', 1).exec();
  assert.match(error.message, /^WRONGTYPE/);
}

async function messages(publisher, subscriber) {
  await subscriber.subscribe('news', 'sports');
  await subscriber.psubscribe('n*');
  const direct = next(subscriber, 'message');
  const byPattern = next(subscriber, 'pmessage');
  assert.equal(await publisher.publish('news', 'hello'), 2);
  assert.deepEqual(await direct, ['news', 'hello']);
  assert.deepEqual(await byPattern, ['n*', 'news', 'hello']);
  await subscriber.unsubscribe('news', 'sports');
  await subscriber.punsubscribe('n*');
  assert.equal(await subscriber.get('missing'), null);
}

async function scanning(redis) {
  await redis.mset(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`scan:${i}`, i])));
  await redis.set('other', 1);
  const found = new Set();
  for await (const keys of redis.scanStream({ match: 'scan:*', count: 100 })) {
    keys.forEach((key) => found.add(key));
  }

  assert.equal(found.size, 2000);
  await redis.hset('h', Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, i])));
  let fields = 0;
  for await (const pairs of redis.hscanStream('h')) {
    fields += pairs.length / 2;
  }

  assert.equal(fields, 1000);
}

async function waiting(redis, pusher) {
  const popped = redis.blpop('queue', 0);
  await until(async () => assert.match(await pusher.client('LIST'), /cmd=blpop/));
  await pusher.rpush('queue', 'job');
  assert.deepEqual(await popped, ['queue', 'job']);
  assert.equal(await redis.blpop('queue', 0.05), null);
}

async function reconnecting(redis, killer) {
  await redis.subscribe('news');
  const again = next(redis, 'ready');
  const clients = await killer.client('LIST', 'TYPE', 'pubsub');
  assert.equal(await killer.client('KILL', 'ID', /id=(\d+)/.exec(clients)[1]), 1);
  await again;
  await until(async () => assert.deepEqual(await killer.pubsub('NUMSUB', 'news'), ['news', 1]));
  const message = next(redis, 'message');
  await killer.publish('news', 'back');
  assert.deepEqual(await message, ['news', 'back']);
}

async function script(redis) {
  redis.defineCommand('addTo', {
    numberOfKeys: 1,
    lua: "return redis.call('INCRBY', KEYS[1], ARGV[1])",
  });
  assert.equal(await redis.addTo('n', 5), 5);
  assert.equal(await redis.addTo('n', 2), 7);
}

run({
  values: over(values),
  collections: over(collections),
  pipeline: over(pipeline),
  autoPipelining: over(autoPipelining, { enableAutoPipelining: true }),
  transaction: over(transaction),
  messages: over(messages),
  scanning: over(scanning),
  waiting: over(waiting),
  reconnecting: over(reconnecting),
  script: over(script),
});
