'use strict';
// BullMQ's queues: one process hands jobs over, others work them off, and the queue's events come by a stream.
const assert = require('node:assert/strict');
const Redis = require('ioredis-5');
const { run, start, until } = require('./scenarios.js');

const hourMs = 3_600_000;
const checkMs = 100;

// Calls the body with a queue and what belongs to it, and closes all of that.
const over = (body) => async (package_, port) => {
  const library = require(package_);
  const connection = { host: '127.0.0.1', port };
  const open = [];
  const keep = (one) => {
    open.push(one);
    return one;
  };
  const bench = {
    connection,
    redis: keep(new Redis({ ...connection, maxRetriesPerRequest: null })),
    queue: keep(new library.Queue('orders', { connection })),
    queueOf: (name, options) => keep(new library.Queue(name, { connection, ...options })),
    work: (how, options, name = 'orders') => keep(new library.Worker(name, how, { connection, ...options })),
    flows: () => keep(new library.FlowProducer({ connection })),
    events: async (name = 'orders', options = {}) => {
      const events = keep(new library.QueueEvents(name, { connection, ...options }));
      await events.waitUntilReady();
      return events;
    },
  };
  await body(bench);
  await Promise.all(open.reverse().map((one) => (one instanceof Redis ? one.quit() : one.close())));
};

const awaitCounts = (queue, wanted) =>
  until(async () => {
    const counts = await queue.getJobCounts(...Object.keys(wanted));
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((state) => [state, counts[state]])), wanted);
  });

// Works off orders in a process of its own and counts how often each one ran. No order is done before as many
// processes as "processes" have one.
async function worker(package_, port, processes) {
  const connection = { host: '127.0.0.1', port };
  const redis = new Redis(connection);
  const how = async (job) => {
    await redis.incr(`ran:${job.data.order}`);
    await redis.sadd('workers', process.pid);
    await until(async () => assert.ok((await redis.scard('workers')) >= Number(processes)));
    return job.data.order * 2;
  };
  const one = new (require(package_).Worker)('orders', how, { connection, concurrency: 5 });
  await one.waitUntilReady();
}

async function jobsRunOnce({ queue, redis, events }) {
  const heard = await events();
  await Promise.all([start('worker', 2), start('worker', 2)]);
  const orders = Array.from({ length: 200 }, (_, order) => order);
  const single = await Promise.all(orders.slice(0, 100).map((order) => queue.add('order', { order })));
  const bulk = await queue.addBulk(orders.slice(100).map((order) => ({ name: 'order', data: { order } })));

  const results = await Promise.all([...single, ...bulk].map((job) => job.waitUntilFinished(heard)));

  assert.deepEqual(results, orders.map((order) => order * 2));
  await awaitCounts(queue, { waiting: 0, active: 0, completed: 200, failed: 0 });
  assert.deepEqual(await redis.mget(orders.map((order) => `ran:${order}`)), orders.map(() => '1'));
}

async function delayed({ queue, work, events }) {
  const heard = await events();
  const late = await queue.add('late', {}, { delay: hourMs });
  const soon = await queue.add('soon', {}, { delay: 300 });
  const promoted = await queue.add('promoted', {}, { delay: hourMs });
  await awaitCounts(queue, { waiting: 0, delayed: 3 });
  work(async (job) => Date.now() - job.timestamp);

  assert.ok((await soon.waitUntilFinished(heard)) >= 300);
  await promoted.promote();
  assert.ok((await promoted.waitUntilFinished(heard)) < hourMs);
  assert.equal(await late.getState(), 'delayed');
  await late.remove();
  await awaitCounts(queue, { waiting: 0, delayed: 0, completed: 2 });
}

async function retried({ queue, work, events }) {
  const heard = await events();
  let attempts = 0;
  work(async (job) => {
    if (job.name === 'closed' || ++attempts < 3) {
      throw new Error('not yet');
    }

    return attempts;
  });
  const shaky = await queue.add('shaky', {}, { attempts: 5, backoff: { type: 'fixed', delay: 20 } });
  assert.equal(await shaky.waitUntilFinished(heard), 3);
  const closed = await queue.add('closed', {}, { attempts: 2 });
  await assert.rejects(closed.waitUntilFinished(heard), /not yet/);
  const failed = await queue.getJob(closed.id);
  assert.equal(failed.attemptsMade, 2);
  assert.equal(failed.stacktrace.length, 2);
  await awaitCounts(queue, { waiting: 0, active: 0, completed: 1, failed: 1 });
}

async function ordered({ queue, work }) {
  const served = [];
  for (const [name, options] of [['c', { priority: 3 }], ['a', { priority: 1 }], ['b', { priority: 2 }]]) {
    await queue.add(name, {}, options);
  }

  await queue.add('plain', {});
  await queue.add('last in', {}, { lifo: true });
  assert.deepEqual(await queue.getCountsPerPriority([1, 2, 3]), { 1: 1, 2: 1, 3: 1 });
  work(async (job) => served.push(job.name));
  await awaitCounts(queue, { waiting: 0, prioritized: 0, active: 0, completed: 5 });
  assert.deepEqual(served, ['last in', 'plain', 'a', 'b', 'c']);
}

// A parent job waits for its children, in other queues, and sees what they have returned.
async function flows({ queueOf, work, flows: producer, events }) {
  const heard = await events('meals');
  work(async (job) => `${job.name} done`, {}, 'dishes');
  work(async (job) => Object.values(await job.getChildrenValues()).sort(), {}, 'meals');
  const flow = await producer().add({
    name: 'dinner',
    queueName: 'meals',
    children: [
      { name: 'soup', queueName: 'dishes' },
      { name: 'roast', queueName: 'dishes', children: [{ name: 'sauce', queueName: 'dishes' }] },
    ],
  });
  assert.deepEqual(await flow.job.waitUntilFinished(heard), ['roast done', 'soup done']);
  await awaitCounts(queueOf('dishes'), { waiting: 0, 'waiting-children': 0, completed: 3 });
  const tree = await producer().getFlow({ id: flow.job.id, queueName: 'meals' });
  assert.deepEqual(tree.children.map((child) => child.job.name).sort(), ['roast', 'soup']);
}

// What happens comes by a stream, also what was there before somebody listens, and the stream is trimmed.
async function events({ queue, work, events: listen, redis }) {
  await queue.add('good', {}, { jobId: 'g' });
  const heard = await listen('orders', { lastEventId: '0' });
  const told = [];
  for (const name of ['added', 'active', 'progress', 'completed', 'failed']) {
    heard.on(name, ({ jobId }) => told.push(`${name} ${jobId}`));
  }

  work(async (job) => {
    await job.updateProgress(50);
    if (job.name === 'bad') {
      throw new Error('bad');
    }
  });
  await queue.add('bad', {}, { jobId: 'b' });
  await until(async () => assert.deepEqual(
    [...told].sort(),
    ['active b', 'active g', 'added b', 'added g', 'completed g', 'failed b', 'progress b', 'progress g'],
  ));
  const length = await redis.xlen('bull:orders:events');
  assert.ok(length >= told.length, `${length} entries`);
  await queue.trimEvents(2);
  assert.ok((await redis.xlen('bull:orders:events')) <= length);
}

async function limited({ queue, work }) {
  await queue.addBulk(Array.from({ length: 8 }, () => ({ name: 'call', data: {} })));
  work(async () => 'done', { concurrency: 4, limiter: { max: 5, duration: hourMs } });
  await awaitCounts(queue, { waiting: 3, active: 0, completed: 5 });
}

// A worker that dies with a job has it taken by another one.
async function stalled({ queue, work, events, redis }) {
  const heard = await events();
  const job = await queue.add('order', { order: 7 });
  const lost = await start('worker', 2);
  await until(async () => assert.equal(await redis.get('ran:7'), '1'));
  lost.kill('SIGKILL');
  // What a lapse of 30 seconds without a renewal does.
  assert.equal(await redis.del(`bull:orders:${job.id}:lock`), 1);
  work(async (taken) => `taken over: ${taken.data.order}`, { stalledInterval: checkMs });

  assert.equal(await job.waitUntilFinished(heard), 'taken over: 7');
}

async function scheduled({ queue, work }) {
  let runs = 0;
  work(async () => ++runs);
  await queue.upsertJobScheduler('tick', { every: 100 }, { name: 'tick' });
  await until(async () => assert.ok(runs >= 3));
  assert.deepEqual((await queue.getJobSchedulers()).map((one) => one.key), ['tick']);
  assert.equal(await queue.removeJobScheduler('tick'), true);
  assert.equal(await queue.getJobSchedulersCount(), 0);
  await awaitCounts(queue, { delayed: 0, failed: 0 });
}

async function paused({ queue, queueOf, work }) {
  const other = queueOf('orders');
  let runs = 0;
  await queue.pause();
  assert.equal(await other.isPaused(), true);
  await other.add('order', {});
  work(async () => ++runs);
  await awaitCounts(other, { completed: 0, paused: 1 });
  await other.resume();
  await awaitCounts(other, { completed: 1, paused: 0 });
  assert.equal(runs, 1);
}

async function administration({ queue, queueOf, redis }) {
  const other = queueOf('orders');
  const first = await queue.add('one', { n: 1 }, { jobId: 'only' });
  await other.add('one', { n: 2 }, { jobId: 'only' });
  assert.deepEqual((await queue.getJob('only')).data, { n: 1 });
  await first.updateData({ n: 3 });
  await first.updateProgress({ percent: 40 });
  await first.log('a line');
  assert.deepEqual((await other.getJob('only')).data, { n: 3 });
  assert.deepEqual((await other.getJob('only')).progress, { percent: 40 });
  assert.deepEqual(await other.getJobLogs('only'), { logs: ['a line'], count: 1 });
  await queue.addBulk(Array.from({ length: 50 }, () => ({ name: 'many', data: {} })));
  await queue.drain();
  await awaitCounts(other, { waiting: 0 });
  await queue.addBulk(Array.from({ length: 50 }, () => ({ name: 'many', data: {} })));
  await queue.obliterate();
  assert.deepEqual(await redis.keys('bull:orders:*'), []);
}

run(
  {
    jobsRunOnce: over(jobsRunOnce),
    delayed: over(delayed),
    retried: over(retried),
    ordered: over(ordered),
    flows: over(flows),
    events: over(events),
    limited: over(limited),
    stalled: over(stalled),
    scheduled: over(scheduled),
    paused: over(paused),
    administration: over(administration),
  },
  { worker },
);
