'use strict';
// Redlock's locks, versions 4 and 5, on one server and on a quorum of three: here three databases of one server.
const assert = require('node:assert/strict');
const Redis = require('ioredis-5');
const { run, start, until } = require('./scenarios.js');

const longMs = 100_000;
const patient = { retryCount: -1, retryDelay: 5, retryJitter: 3 };
const impatient = { retryCount: 0 };

const connect = (port, db = 0) => new Redis({ host: '127.0.0.1', port, db });

// Locks of either version: version 4 has one function where version 5 is an ES module with a default.
function locksOn(package_, clients, settings) {
  const library = require(package_);
  return new (library.default ?? library)(clients, settings);
}

// Calls the body with a client per database and what makes locks on them.
const over = (databases, body) => async (package_, port) => {
  const clients = Array.from({ length: databases }, (_, db) => connect(port, db));
  await body(clients, (settings) => locksOn(package_, clients, settings));
  await Promise.all(clients.map((client) => client.quit()));
};

// Locks are ready when a quorum has answered, which the others may still have before them.
const onAll = (clients, check) => Promise.all(clients.map((client) => until(() => check(client))));

// Version 5 keeps what a failed attempt got of a quorum until it gives up, so that three who go on trying block each
// other until their locks expire.
async function acquirePatiently(locks, resource) {
  for (;;) {
    try {
      return await locks.acquire([resource], longMs);
    } catch (error) {
      assert.match(error.message, /quorum|attempts/);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    }
  }
}

// Adds to a counter in steps that only a lock keeps together.
async function visitor(package_, port, databases, times) {
  const clients = Array.from({ length: Number(databases) }, (_, db) => connect(port, db));
  const locks = locksOn(package_, clients, impatient);
  process.once('message', async () => {
    for (let i = 0; i < Number(times); i++) {
      const lock = await acquirePatiently(locks, 'lock:counter');
      const found = Number(await clients[0].get('counter'));
      await new Promise(setImmediate);
      await clients[0].set('counter', found + 1);
      await locks.release(lock);
    }

    await clients[0].incr('visitors done');
  });
}

async function processesExcludeEachOther([client, ...others]) {
  const visitors = await Promise.all(
    Array.from({ length: 3 }, () => start('visitor', others.length + 1, 20)));
  visitors.forEach((process_) => process_.send('go'));
  await until(async () => assert.equal(await client.get('visitors done'), '3'));
  assert.equal(await client.get('counter'), '60');
  assert.equal(await client.exists('lock:counter'), 0);
}

async function lockIsHeldAndReleased(clients, locksOf) {
  const locks = locksOf(impatient);
  const lock = await locks.acquire(['a', 'b'], longMs);
  await onAll(clients, async (client) => assert.ok((await client.pttl('a')) > 0 && (await client.pttl('b')) > 0));

  await assert.rejects(locks.acquire(['b', 'c'], longMs), /quorum|attempts/);
  await onAll(clients, async (client) => assert.equal(await client.exists('c'), 0));

  await locks.release(lock);
  await onAll(clients, async (client) => assert.equal(await client.exists('a', 'b'), 0));

  await assert.rejects(locks.release(lock), /quorum|release/);
  await locks.release(await locks.acquire(['b', 'c'], longMs));
}

async function lockIsExtended(clients, locksOf) {
  const locks = locksOf(impatient);
  const lock = await locks.acquire(['a'], longMs);
  const extended = await locks.extend(lock, 3 * longMs);
  await onAll(clients, async (client) => {
    const leftMs = await client.pttl('a');
    assert.ok(leftMs > longMs && leftMs <= 3 * longMs);
  });

  await Promise.all(clients.map((client) => client.set('a', "another's")));
  await assert.rejects(locks.extend(extended, longMs));
  await assert.rejects(locks.release(extended));
  assert.equal(await clients[0].get('a'), "another's");
}

async function lockExpires(_, locksOf) {
  await locksOf(impatient).acquire(['a'], 300);
  const began = Date.now();
  const lock = await locksOf(patient).acquire(['a'], longMs);
  assert.ok(Date.now() - began >= 200, 'the lock was held before');
  assert.ok(lock.value);
}

async function minorityDoesNotMatter(clients, locksOf) {
  await clients[0].set('a', "another's");
  const lock = await locksOf(impatient).acquire(['a'], longMs);
  await locksOf(impatient).extend(lock, longMs);
  await clients[1].set('a', "another's");
  await assert.rejects(locksOf(impatient).acquire(['a'], longMs));
  assert.equal(await clients[0].get('a'), "another's");
}

run(
  {
    processesExcludeEachOther: over(1, processesExcludeEachOther),
    processesExcludeEachOtherByQuorum: over(3, processesExcludeEachOther),
    lockIsHeldAndReleased: over(1, lockIsHeldAndReleased),
    lockIsHeldAndReleasedByQuorum: over(3, lockIsHeldAndReleased),
    lockIsExtended: over(3, lockIsExtended),
    lockExpires: over(1, lockExpires),
    minorityDoesNotMatter: over(3, minorityDoesNotMatter),
  },
  { visitor });
