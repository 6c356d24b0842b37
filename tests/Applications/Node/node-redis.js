'use strict';
// node-redis as an application uses it, with its default settings unless a scenario says otherwise.
const assert = require('node:assert/strict');
const { run, until } = require('./scenarios.js');

// Calls the body with as many clients as it takes, and closes them.
const over = (body, options = {}) => async (package_, port) => {
  const { createClient } = require(package_);
  const clients = [];
  for (let i = 0; i < body.length; i++) {
    const client = createClient({ socket: { host: '127.0.0.1', port }, ...options });
    client.on('error', (error) => console.error(error.message));
    clients.push(await client.connect());
  }

  await body(...clients);
  await Promise.all(clients.map((client) => client.close()));
};

// The number of its messages that a listener waits for, and a promise of them.
function listener(count) {
  const heard = [];
  let done;
  const all = new Promise((resolve) => { done = resolve; });
  const hear = (message, channel) => {
    heard.push(`${channel}: ${message}`);
    if (heard.length === count) {
      done(heard);
    }
  };
  return { hear, all };
}

async function values(redis) {
  assert.equal(await redis.set('k', 'v', { EX: 100, NX: true }), 'OK');
  assert.equal(await redis.set('k', 'w', { NX: true }), null);
  assert.equal(await redis.get('k'), 'v');
  const ttl = await redis.ttl('k');
  assert.ok(ttl > 0 && ttl <= 100);
  assert.equal(await redis.incrBy('n', 5), 5);
  assert.equal(await redis.incrByFloat('f', 1.5), '1.5');
  assert.equal(await redis.mSet([['a', '1'], ['b', '2']]), 'OK');
  assert.deepEqual(await redis.mGet(['a', 'b', 'missing']), ['1', '2', null]);
  assert.equal(await redis.getDel('a'), '1');
  assert.equal(await redis.exists('a'), 0);
  await assert.rejects(redis.incr('k'), /value is not an integer/);
}

async function collections(redis) {
  await redis.hSet('h', { name: 'cup', price: 5 });
  assert.deepEqual({ ...(await redis.hGetAll('h')) }, { name: 'cup', price: '5' });
  await redis.rPush('l', ['1', '2', '3']);
  assert.deepEqual(await redis.lRange('l', 0, -1), ['1', '2', '3']);
  await redis.sAdd('s', ['x', 'y']);
  assert.deepEqual((await redis.sMembers('s')).sort(), ['x', 'y']);
  assert.equal(await redis.sIsMember('s', 'x'), 1);
  await redis.zAdd('z', [{ score: 1, value: 'one' }, { score: 2.5, value: 'two' }]);
  assert.deepEqual(
    await redis.zRangeWithScores('z', 0, -1), [{ value: 'one', score: 1 }, { value: 'two', score: 2.5 }]);
  assert.equal(await redis.zScore('z', 'two'), 2.5);
  assert.equal(await redis.zScore('z', 'missing'), null);
}

async function transaction(redis, other) {
  assert.deepEqual(await redis.multi().set('t', '1').incr('t').get('t').exec(), ['OK', 2, '2']);
  await redis.watch('t');
  await other.set('t', '10');
  await assert.rejects(redis.multi().incr('t').exec(), { name: /^(WatchError|Error)$/ });
  assert.equal(await redis.get('t'), '10');
}

async function pipelining(redis) {
  await Promise.all(Array.from({ length: 2000 }, (_, i) => redis.set(`p:${i}`, String(i))));
  const found = await Promise.all(Array.from({ length: 2000 }, (_, i) => redis.get(`p:${i}`)));
  assert.deepEqual(found, Array.from({ length: 2000 }, (_, i) => String(i)));
}

async function messages(publisher, subscriber) {
  const direct = listener(2);
  const byPattern = listener(2);
  const sharded = listener(1);
  await subscriber.subscribe(['news', 'sports'], direct.hear);
  await subscriber.pSubscribe('*s', byPattern.hear);
  await subscriber.sSubscribe('shard', sharded.hear);
  assert.equal(await publisher.publish('news', 'hello'), 2);
  assert.equal(await publisher.publish('sports', 'goal'), 2);
  assert.equal(await publisher.sPublish('shard', 'near'), 1);
  assert.deepEqual(await direct.all, ['news: hello', 'sports: goal']);
  assert.deepEqual(await byPattern.all, ['news: hello', 'sports: goal']);
  assert.deepEqual(await sharded.all, ['shard: near']);
  await subscriber.unsubscribe(['news', 'sports']);
  await subscriber.pUnsubscribe('*s');
  await subscriber.sUnsubscribe('shard');
  assert.equal(await subscriber.get('missing'), null);
}

async function scanning(redis) {
  await redis.mSet(Array.from({ length: 2000 }, (_, i) => [`scan:${i}`, String(i)]));
  await redis.set('other', '1');
  const found = new Set();
  for await (const keys of redis.scanIterator({ MATCH: 'scan:*', COUNT: 100 })) {
    keys.forEach((key) => found.add(key));
  }

  assert.equal(found.size, 2000);
  await redis.hSet('h', Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, i])));
  let fields = 0;
  for await (const entries of redis.hScanIterator('h')) {
    fields += entries.length;
  }

  assert.equal(fields, 1000);
}

async function waiting(redis, pusher) {
  const popped = redis.blPop('queue', 0);
  await until(async () => assert.ok((await pusher.clientList()).some((client) => client.cmd === 'blpop')));
  await pusher.rPush('queue', 'job');
  assert.deepEqual({ ...(await popped) }, { key: 'queue', element: 'job' });
  assert.equal(await redis.blPop('queue', 0.05), null);
}

async function reconnecting(redis, killer) {
  const heard = listener(1);
  await redis.subscribe('news', heard.hear);
  const [client] = await killer.clientList({ TYPE: 'PUBSUB' });
  assert.equal(await killer.clientKill({ filter: 'ID', id: client.id }), 1);
  await until(async () => {
    const clients = await killer.clientList({ TYPE: 'PUBSUB' });
    assert.ok(clients.length === 1 && clients[0].id !== client.id);
  });
  await killer.publish('news', 'back');
  assert.deepEqual(await heard.all, ['news: back']);
}

async function pool(package_, port) {
  const { createClientPool } = require(package_);
  const clients = await createClientPool({ socket: { host: '127.0.0.1', port } }, { maximum: 8 }).connect();
  await Promise.all(Array.from({ length: 500 }, () => clients.incr('n')));
  assert.equal(await clients.get('n'), '500');
  await clients.close();
}

async function script(package_, port) {
  const { createClient, defineScript } = require(package_);
  const add = defineScript({
    NUMBER_OF_KEYS: 1,
    SCRIPT: "return redis.call('INCRBY', KEYS[1], ARGV[1])",
    parseCommand(parser, key, by) {
      parser.pushKey(key);
      parser.push(String(by));
    },
    transformReply: (reply) => reply,
  });
  const redis = await createClient({ socket: { host: '127.0.0.1', port }, scripts: { add } }).connect();
  assert.equal(await redis.add('n', 5), 5);
  assert.equal(await redis.add('n', 2), 7);
  await redis.close();
}

// A client that keeps what it has read (CLIENT TRACKING), beside one that changes it.
async function caching(package_, port) {
  const { createClient, BasicClientSideCache } = require(package_);
  const cache = new BasicClientSideCache({ ttl: 0, maxEntries: 0 });
  const options = { socket: { host: '127.0.0.1', port }, RESP: 3 };
  const reader = await createClient({ ...options, clientSideCache: cache }).connect();
  const writer = await createClient(options).connect();
  const changes = {
    set: () => writer.set('k', 'w'),
    append: () => writer.append('k', 'x'),
    expire: () => writer.pExpire('k', 20),
    transaction: () => writer.multi().set('k', '1').incr('k').exec(),
    script: () => writer.eval("return redis.call('SET', KEYS[1], 'scripted')", { keys: ['k'] }),
    rename: () => writer.set('l', 'm').then(() => writer.rename('l', 'k')),
    copy: () => writer.set('l', 'n').then(() => writer.copy('l', 'k', { REPLACE: true })),
    del: () => writer.del('k'),
    flush: () => writer.flushAll(),
    ownChange: () => reader.set('k', 'own'),
  };
  for (const [name, change] of Object.entries(changes)) {
    await writer.set('k', 'v');
    await until(async () => assert.equal(await reader.get('k'), 'v'));
    const before = cache.stats();
    await reader.get('k');
    assert.ok(cache.stats().hitCount > before.hitCount, `${name}: the second time it is answered by the cache`);
    await change();
    await until(async () => assert.equal(await reader.get('k'), await writer.get('k'), name));
  }

  await Promise.all([reader.mGet(['a', 'b']), reader.hGetAll('h'), reader.zRange('z', 0, -1), reader.sMembers('s')]);
  await writer.multi().mSet([['b', '1']]).hSet('h', 'f', 'v').zAdd('z', { score: 1, value: 'm' }).sAdd('s', 'm').exec();
  await until(async () => {
    assert.deepEqual(await reader.mGet(['a', 'b']), [null, '1']);
    assert.equal((await reader.hGetAll('h')).f, 'v');
    assert.deepEqual(await reader.zRange('z', 0, -1), ['m']);
    assert.deepEqual([...(await reader.sMembers('s'))], ['m']);
  });

  await Promise.all([reader.close(), writer.close()]);
}

const resp3 = { RESP: 3 };
run({
  values: over(values),
  collections: over(collections),
  collectionsResp3: over(collections, resp3),
  transaction: over(transaction),
  pipelining: over(pipelining),
  messages: over(messages),
  messagesResp3: over(messages, resp3),
  scanning: over(scanning),
  waiting: over(waiting),
  reconnecting: over(reconnecting),
  pool,
  script,
  caching,
});
