'use strict';
// Two Express servers that share their visitors' sessions through connect-redis.
const assert = require('node:assert/strict');
const express = require('express');
const session = require('express-session');
const { RedisStore } = require('connect-redis');
const { run } = require('./scenarios.js');

const hour = 3600;

async function startServer(redis) {
  const app = express();
  app.use(session({
    store: new RedisStore({ client: redis, prefix: 'visitor:', ttl: hour }),
    secret: 'known to both',
    resave: false,
    saveUninitialized: false,
  }));
  app.put('/cart/:goods', (request, response) => {
    request.session.cart = [...(request.session.cart ?? []), request.params.goods];
    response.json(request.session.cart);
  });
  app.get('/cart', (request, response) => response.json(request.session.cart ?? []));
  app.delete('/', (request, response) => request.session.destroy((error) => response.json({ error })));
  const http = await new Promise((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  return { address: `http://127.0.0.1:${http.address().port}`, close: () => http.close() };
}

// Calls the body with the addresses of two servers and a client of the store behind them.
const overTwo = (body) => async (package_, port) => {
  const redis = await require(package_).createClient({ socket: { host: '127.0.0.1', port } }).connect();
  const one = await startServer(redis);
  const two = await startServer(redis);
  await body(one.address, two.address, redis);
  one.close();
  two.close();
  await redis.close();
};

// A request of one visitor: without a cookie it is a new one's.
async function ask(address, method, path, cookie) {
  const headers = { connection: 'close', ...(cookie && { cookie }) };
  const response = await fetch(address + path, { method, headers });
  return { body: await response.json(), cookie: response.headers.get('set-cookie')?.split(';')[0] ?? cookie };
}

async function shared(one, two) {
  const { cookie } = await ask(one, 'PUT', '/cart/cup', undefined);
  assert.deepEqual((await ask(two, 'PUT', '/cart/plate', cookie)).body, ['cup', 'plate']);
  assert.deepEqual((await ask(one, 'GET', '/cart', cookie)).body, ['cup', 'plate']);
  assert.deepEqual((await ask(one, 'GET', '/cart', undefined)).body, []);
}

async function sliding(one, two, redis) {
  const { cookie } = await ask(one, 'PUT', '/cart/cup', undefined);
  const [key] = await redis.keys('visitor:*');
  assert.ok(await redis.ttl(key) > hour - 60);
  await redis.expire(key, 100);
  assert.deepEqual((await ask(two, 'GET', '/cart', cookie)).body, ['cup']);
  assert.ok(await redis.ttl(key) > hour - 60);
}

async function ended(one, two, redis) {
  const { cookie } = await ask(one, 'PUT', '/cart/cup', undefined);
  await ask(two, 'DELETE', '/', cookie);
  assert.deepEqual(await redis.keys('visitor:*'), []);
  assert.deepEqual((await ask(one, 'GET', '/cart', cookie)).body, []);
}

async function administration(one, two, redis) {
  await ask(one, 'PUT', '/cart/cup', undefined);
  await ask(two, 'PUT', '/cart/plate', undefined);
  const store = new RedisStore({ client: redis, prefix: 'visitor:' });
  assert.equal(await store.length(), 2);
  assert.deepEqual((await store.all()).map((found) => found.cart[0]).sort(), ['cup', 'plate']);
  await store.clear();
  assert.equal(await redis.dbSize(), 0);
}

run({
  shared: overTwo(shared),
  sliding: overTwo(sliding),
  ended: overTwo(ended),
  administration: overTwo(administration),
});
