'use strict';
// rate-limiter-flexible's limiters with either client library.
const assert = require('node:assert/strict');
const { BurstyRateLimiter, RateLimiterQueue, RateLimiterRedis, RateLimiterRes } = require('rate-limiter-flexible');
const { connectedClient, run, start, until } = require('./scenarios.js');

const hour = 3600;

// Calls the body with what makes limiters over one client.
const over = (body) => async (package_, port) => {
  const { redis, close } = await connectedClient(package_, port);
  await body((options) => limiterOver(redis, options), redis);
  await close();
};

const limiterOver = (redis, options) => {
  const useRedisPackage = typeof redis.defineCommand !== 'function';
  return new RateLimiterRedis({ storeClient: redis, useRedisPackage, ...options });
};

// Whether a visitor may go on; what isn't the limiter's refusal is an error.
const allows = (limiter, key, points = 1) =>
  limiter.consume(key, points).then(() => true, (refusal) => {
    if (refusal instanceof RateLimiterRes) {
      return false;
    }

    throw refusal;
  });

// Tries 100 times at once when it is told to, and says how often it was allowed.
async function visitor(package_, port, points) {
  const { redis } = await connectedClient(package_, port);
  const limiter = limiterOver(redis, { points: Number(points), duration: hour });
  process.once('message', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => allows(limiter, 'visitor')));
    process.send(answers.filter(Boolean).length);
  });
}

async function exactAmongProcesses(limiterOf) {
  const visitors = await Promise.all(Array.from({ length: 3 }, () => start('visitor', 130)));
  const allowed = await Promise.all(
    visitors.map((process_) => new Promise((resolve) => {
      process_.once('message', resolve);
      process_.send('go');
    })));

  assert.equal(allowed.reduce((sum, count) => sum + count), 130);
  const state = await limiterOf({ points: 130, duration: hour }).get('visitor');
  assert.equal(state.consumedPoints, 300);
  assert.equal(state.remainingPoints, 0);
}

async function countsAndWindows(limiterOf) {
  const limiter = limiterOf({ points: 5, duration: hour });
  const first = await limiter.consume('v', 2);
  assert.equal(first.consumedPoints, 2);
  assert.equal(first.remainingPoints, 3);
  assert.equal(first.isFirstInDuration, true);
  assert.ok(first.msBeforeNext > 0 && first.msBeforeNext <= hour * 1000);
  assert.equal((await limiter.penalty('v', 2)).consumedPoints, 4);
  assert.equal((await limiter.reward('v', 3)).consumedPoints, 1);
  assert.equal(await allows(limiter, 'v', 4), true);
  assert.equal(await allows(limiter, 'v'), false);
  assert.equal((await limiter.get('v')).consumedPoints, 6);
  assert.equal(await limiter.get('missing'), null);
  assert.equal(await limiter.delete('v'), true);
  assert.equal(await allows(limiter, 'v'), true);
  await limiter.set('v', 5, hour);
  assert.equal(await allows(limiter, 'v'), false);

  const short = limiterOf({ keyPrefix: 'short', points: 1, duration: 1 });
  assert.equal(await allows(short, 'v'), true);
  await until(async () => assert.equal(await allows(short, 'v'), true));
}

async function withoutEnd(limiterOf, redis) {
  const limiter = limiterOf({ keyPrefix: 'total', points: 2, duration: 0 });
  assert.equal(await allows(limiter, 'v'), true);
  assert.equal(await allows(limiter, 'v'), true);
  assert.equal(await allows(limiter, 'v'), false);
  assert.equal(await redis.ttl('total:v'), -1);
}

async function blocks(limiterOf, redis) {
  const limiter = limiterOf({ points: 1, duration: 1, blockDuration: hour });
  assert.equal(await allows(limiter, 'v'), true);
  assert.equal(await allows(limiter, 'v', 2), false);
  assert.ok((await redis.pttl?.('rlflx:v') ?? await redis.pTTL('rlflx:v')) > 1000);
  assert.equal(await allows(limiter, 'v'), false);
  await limiter.block('other', hour);
  assert.equal(await allows(limiter, 'other'), false);
}

async function bursts(limiterOf) {
  const limiter = new BurstyRateLimiter(
    limiterOf({ points: 2, duration: hour }), limiterOf({ keyPrefix: 'burst', points: 3, duration: hour }));
  const answers = await Promise.all(Array.from({ length: 10 }, () => allows(limiter, 'v')));
  assert.equal(answers.filter(Boolean).length, 5);
}

async function queues(limiterOf) {
  const queue = new RateLimiterQueue(limiterOf({ points: 2, duration: 1 }), { maxQueueSize: 5 });
  const began = Date.now();
  await Promise.all(Array.from({ length: 5 }, () => queue.removeTokens(1, 'v')));
  assert.ok(Date.now() - began >= 1500, 'the third window begins two seconds after the first');
}

async function ownScript(limiterOf) {
  const customIncrTtlLuaScript = `
    local window = redis.call('TTL', KEYS[1]) < 0
    local consumed = redis.call('INCRBY', KEYS[1], ARGV[1] * 2)
    if window then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
    return {consumed, redis.call('PTTL', KEYS[1])}`;
  const limiter = limiterOf({ keyPrefix: 'own', points: 4, duration: hour, customIncrTtlLuaScript });
  assert.equal((await limiter.consume('v')).consumedPoints, 2);
  assert.equal(await allows(limiter, 'v'), true);
  assert.equal(await allows(limiter, 'v'), false);
}

run(
  {
    exactAmongProcesses: over(exactAmongProcesses),
    countsAndWindows: over(countsAndWindows),
    withoutEnd: over(withoutEnd),
    blocks: over(blocks),
    bursts: over(bursts),
    queues: over(queues),
    ownScript: over(ownScript),
  },
  { visitor });
