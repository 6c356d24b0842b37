'use strict';
// Bull's queues: one process hands jobs over, others work them off.
const assert = require('node:assert/strict');
const Redis = require('ioredis-5');
const { run, start, until } = require('./scenarios.js');

const hourMs = 3_600_000;
const checkMs = 100;

// Calls the body with as many queues of one name as it takes, and closes them.
const over = (body, options = {}) => async (package_, port) => {
  const Queue = require(package_);
  const queues = [];
  for (let i = 0; i < body.length; i++) {
    queues.push(new Queue('orders', { redis: { host: '127.0.0.1', port }, ...options }));
  }

  await body(...queues);
  await Promise.all(queues.map((queue) => queue.close()));
};

const awaitCounts = (queue, wanted) =>
  until(async () => {
    const counts = await queue.getJobCounts();
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((state) => [state, counts[state]])), wanted);
  });

// Works off orders in a process of its own and counts how often each one ran. No order is done before as many
// processes as "processes" have one.
async function worker(package_, port, processes) {
  const redis = new Redis({ host: '127.0.0.1', port });
  const settings = { stalledInterval: checkMs };
  const queue = new (require(package_))('orders', { redis: { host: '127.0.0.1', port }, settings });
  queue.process(5, async (job) => {
    await redis.incr(`ran:${job.data.order}`);
    await redis.sadd('workers', process.pid);
    await until(async () => assert.ok((await redis.scard('workers')) >= Number(processes)));
    return job.data.order * 2;
  });
  await queue.isReady();
}

async function jobsRunOnce(queue) {
  await Promise.all([start('worker', 2), start('worker', 2)]);
  const orders = Array.from({ length: 200 }, (_, order) => order);
  const single = await Promise.all(orders.slice(0, 100).map((order) => queue.add({ order })));
  const bulk = await queue.addBulk(orders.slice(100).map((order) => ({ data: { order } })));

  const results = await Promise.all([...single, ...bulk].map((job) => job.finished()));

  assert.deepEqual(results, orders.map((order) => order * 2));
  await awaitCounts(queue, { waiting: 0, active: 0, completed: 200, failed: 0 });
  const redis = new Redis(queue.client.options);
  assert.deepEqual(await redis.mget(orders.map((order) => `ran:${order}`)), orders.map(() => '1'));
  await redis.quit();
}

async function delayed(queue) {
  const late = await queue.add({ order: 'late' }, { delay: hourMs });
  const soon = await queue.add({ order: 'soon' }, { delay: 300 });
  const promoted = await queue.add({ order: 'promoted' }, { delay: hourMs });
  await awaitCounts(queue, { waiting: 0, delayed: 3 });
  queue.process(async (job) => Date.now() - job.timestamp);

  assert.ok((await soon.finished()) >= 300);
  await promoted.promote();
  assert.ok((await promoted.finished()) < hourMs);
  assert.equal(await late.getState(), 'delayed');
  await late.remove();
  await awaitCounts(queue, { waiting: 0, delayed: 0, completed: 2 });
}

async function retried(queue) {
  let attempts = 0;
  let open = false;
  queue.process('shaky', () => {
    if (++attempts < 3) {
      throw new Error('not yet');
    }

    return attempts;
  });
  queue.process('closed', () => {
    if (!open) {
      throw new Error('closed');
    }

    return 'served';
  });
  const shaky = await queue.add('shaky', {}, { attempts: 5, backoff: { type: 'fixed', delay: 20 } });
  const closed = await queue.add('closed', {}, { attempts: 2 });

  assert.equal(await shaky.finished(), 3);
  await assert.rejects(closed.finished(), /closed/);
  const failed = await queue.getJob(closed.id);
  assert.equal(failed.attemptsMade, 2);
  assert.equal(failed.failedReason, 'closed');
  assert.equal(failed.stacktrace.length, 2);
  open = true;
  await failed.retry();
  await awaitCounts(queue, { waiting: 0, active: 0, completed: 2, failed: 0 });
  assert.equal((await queue.getJob(closed.id)).returnvalue, 'served');
}

async function ordered(queue) {
  const served = [];
  for (const [name, options] of [['c', { priority: 3 }], ['a', { priority: 1 }], ['b', { priority: 2 }]]) {
    await queue.add({ name }, options);
  }

  await queue.add({ name: 'plain' });
  await queue.add({ name: 'last in' }, { lifo: true });
  assert.deepEqual(await queue.getCountsPerPriority([1, 2, 3]), { 1: 1, 2: 1, 3: 1 });
  queue.process((job) => served.push(job.data.name));
  await awaitCounts(queue, { waiting: 0, active: 0, completed: 5 });
  assert.deepEqual(served, ['last in', 'a', 'b', 'c', 'plain']);
}

async function limited(queue) {
  await queue.addBulk(Array.from({ length: 8 }, () => ({ data: {} })));
  queue.process(4, () => 'done');
  await awaitCounts(queue, { waiting: 0, active: 0, completed: 5, delayed: 3 });
}

// A worker that dies with a job has it taken by another one.
async function stalled(queue) {
  const redis = new Redis(queue.client.options);
  const job = await queue.add({ order: 7 });
  const lost = await start('worker', 2);
  await until(async () => assert.equal(await redis.get('ran:7'), '1'));
  lost.kill('SIGKILL');
  queue.process((taken) => `taken over: ${taken.data.order}`);
  // What a lapse of 30 seconds without a renewal does.
  assert.equal(await redis.del(`bull:orders:${job.id}:lock`), 1);

  assert.equal(await job.finished(), 'taken over: 7');
  await redis.quit();
}

async function repeated(queue) {
  let runs = 0;
  queue.process('tick', () => ++runs);
  await queue.add('tick', {}, { repeat: { every: 100 } });
  await until(async () => assert.ok(runs >= 3));
  assert.equal((await queue.getRepeatableJobs()).length, 1);
  await queue.removeRepeatable('tick', { every: 100 });
  assert.equal(await queue.getRepeatableCount(), 0);
  await awaitCounts(queue, { delayed: 0, failed: 0 });
}

async function paused(queue, other) {
  let runs = 0;
  await queue.pause();
  assert.equal(await other.isPaused(), true);
  await other.add({});
  queue.process(() => ++runs);
  await awaitCounts(other, { waiting: 0, paused: 1, completed: 0 });
  await other.resume();
  await awaitCounts(other, { waiting: 0, paused: 0, completed: 1 });
  assert.equal(runs, 1);
}

async function administration(queue, other) {
  const first = await queue.add({ n: 1 }, { jobId: 'only' });
  await other.add({ n: 2 }, { jobId: 'only' });
  assert.deepEqual((await queue.getJob('only')).data, { n: 1 });
  await first.update({ n: 3 });
  await first.progress({ percent: 40 });
  await first.log('a line');
  assert.deepEqual((await other.getJob('only')).data, { n: 3 });
  assert.deepEqual((await other.getJob('only')).progress(), { percent: 40 });
  assert.deepEqual(await other.getJobLogs('only'), { logs: ['a line'], count: 1 });

  await queue.add({}, { jobId: 'order-1' });
  await queue.add({}, { jobId: 'order-2', delay: hourMs });
  await queue.removeJobs('order-*');
  await awaitCounts(other, { waiting: 1, delayed: 0 });

  const taken = await queue.getNextJob();
  assert.equal(taken.id, 'only');
  await assert.rejects(other.getJob('only').then((job) => job.remove()), /locked|Could not remove/);
  await taken.moveToCompleted('by hand');
  await awaitCounts(other, { waiting: 0, active: 0, completed: 1 });
  await until(async () => assert.equal((await queue.clean(0, 'completed')).length, 1)); // older than this millisecond
  await queue.addBulk(Array.from({ length: 50 }, () => ({ data: {} })));
  await queue.empty();
  await awaitCounts(other, { waiting: 0 });
  await queue.addBulk(Array.from({ length: 50 }, () => ({ data: {} })));
  await queue.obliterate();
  assert.deepEqual(await queue.client.keys('bull:orders:*'), []);
}

run(
  {
    jobsRunOnce: over(jobsRunOnce),
    delayed: over(delayed),
    retried: over(retried),
    ordered: over(ordered),
    limited: over(limited, { limiter: { max: 5, duration: hourMs } }),
    stalled: over(stalled, { settings: { stalledInterval: checkMs } }),
    repeated: over(repeated),
    paused: over(paused),
    administration: over(administration),
  },
  { worker });
