'use strict';
// Two socket.io servers whose adapters meet in the server under test, with a visitor on each.
const assert = require('node:assert/strict');
const { createServer } = require('node:http');
const { createAdapter, createShardedAdapter } = require('@socket.io/redis-adapter');
const { createAdapter: createStreamsAdapter } = require('@socket.io/redis-streams-adapter');
const { Server } = require('socket.io');
const { io: connect } = require('socket.io-client');
const { connectedClient, next, run, until } = require('./scenarios.js');

// On a machine that is busy with other tests, a late answer is no failure.
const patienceMs = 60_000;
const classic = (publisher, subscriber) => createAdapter(publisher, subscriber, { requestsTimeout: patienceMs });

const streams = (redis) => createStreamsAdapter(redis, { heartbeatInterval: 500 });

async function startServer(adapterOf, package_, port) {
  const publisher = await connectedClient(package_, port);
  const subscriber = await connectedClient(package_, port);
  const http = createServer();
  const io = new Server(http, { adapter: adapterOf(publisher.redis, subscriber.redis) });
  io.on('connection', (socket) => {
    socket.on('join', async (room, done) => {
      await socket.join(room);
      done();
    });
  });
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  const visitor = connect(`http://127.0.0.1:${http.address().port}`, { transports: ['websocket'] });
  await next(visitor, 'connect');
  const close = async () => {
    visitor.close();
    await io.close();
    await publisher.close();
    await subscriber.close();
  };
  return { io, visitor, close };
}

// Calls the body with two servers that have found each other.
const overTwo = (body, adapterOf = classic) => async (package_, port) => {
  const one = await startServer(adapterOf, package_, port);
  const two = await startServer(adapterOf, package_, port);
  await until(async () => assert.equal(await one.io.of('/').adapter.serverCount(), 2));
  await until(async () => assert.equal(await two.io.of('/').adapter.serverCount(), 2));
  await body(one, two);
  await one.close();
  await two.close();
};

async function everybody(one, two) {
  const heard = Promise.all([next(one.visitor, 'news'), next(two.visitor, 'news')]);
  one.io.emit('news', { text: 'hello' }, Buffer.from([0, 255]));
  for (const message of await heard) {
    assert.deepEqual(message, [{ text: 'hello' }, Buffer.from([0, 255])]);
  }
}

async function rooms(one, two) {
  await two.visitor.emitWithAck('join', 'kitchen');
  const stray = [];
  one.visitor.on('order', (text) => stray.push(text));
  // The sharded adapter subscribes to a room's channel without making the one who joins wait for it.
  const heard = next(two.visitor, 'order');
  const repeated = setInterval(() => one.io.to('kitchen').emit('order', 'soup'), 50);
  assert.deepEqual(await heard, ['soup']);
  clearInterval(repeated);

  const all = Promise.all([next(one.visitor, 'closing'), next(two.visitor, 'closing')]);
  two.io.emit('closing');
  await all;
  assert.deepEqual(stray, []);

  const excepted = next(one.visitor, 'rest');
  two.visitor.on('rest', () => stray.push('rest'));
  two.io.except('kitchen').emit('rest');
  await excepted;
  assert.deepEqual(stray, []);
}

async function management(one, two) {
  assert.deepEqual(
    (await one.io.timeout(patienceMs).fetchSockets()).map((socket) => socket.id).sort(),
    [one.visitor.id, two.visitor.id].sort());
  one.io.in(two.visitor.id).socketsJoin('moved');
  await until(async () =>
    assert.deepEqual(
      (await one.io.in('moved').timeout(patienceMs).fetchSockets()).map((socket) => socket.id), [two.visitor.id]));
  const heard = next(two.visitor, 'welcome');
  one.io.to('moved').emit('welcome');
  await heard;
  const gone = next(two.visitor, 'disconnect');
  one.io.in('moved').disconnectSockets();
  assert.equal((await gone)[0], 'io server disconnect');
}

async function acknowledgements(one, two) {
  one.visitor.on('question', (answer) => answer('one'));
  two.visitor.on('question', (answer) => answer('two'));
  assert.deepEqual((await one.io.timeout(patienceMs).emitWithAck('question')).sort(), ['one', 'two']);
}

async function betweenServers(one, two) {
  two.io.on('stock', (goods, answer) => answer(`${goods}: 5`));
  const answers = await new Promise((resolve, reject) =>
    one.io.serverSideEmit('stock', 'cups', (error, replies) => (error ? reject(error) : resolve(replies))));
  assert.deepEqual(answers, ['cups: 5']);
}

run({
  everybody: overTwo(everybody),
  everybodySharded: overTwo(everybody, createShardedAdapter),
  rooms: overTwo(rooms),
  roomsSharded: overTwo(rooms, createShardedAdapter),
  management: overTwo(management),
  acknowledgements: overTwo(acknowledgements),
  betweenServers: overTwo(betweenServers),
  everybodyStreams: overTwo(everybody, streams),
  roomsStreams: overTwo(rooms, streams),
  managementStreams: overTwo(management, streams),
  acknowledgementsStreams: overTwo(acknowledgements, streams),
});
