'use strict';
// bee-queue's queues: one process hands jobs over, others work them off.
const assert = require('node:assert/strict');
const Redis = require('ioredis-5');
const { next, run, start, until } = require('./scenarios.js');

const hourMs = 3_600_000;
const stallMs = 200;

// Calls the body with as many queues of one name as it takes, and closes them.
const over = (body, options = {}) => async (package_, port) => {
  const Queue = require(package_);
  const queues = [];
  for (let i = 0; i < body.length; i++) {
    queues.push(await new Queue('orders', { redis: { host: '127.0.0.1', port }, ...options }).ready());
  }

  await body(...queues);
  await Promise.all(queues.map((queue) => queue.close()));
};

const awaitHealth = (queue, wanted) =>
  until(async () => {
    const health = await queue.checkHealth();
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((state) => [state, health[state]])), wanted);
  });

const connect = (queue) => new Redis({ host: '127.0.0.1', port: queue.settings.redis.port });

// Works off orders in a process of its own and counts how often each one ran. No order is done before as many
// processes as "processes" have one.
async function worker(package_, port, processes) {
  const redis = new Redis({ host: '127.0.0.1', port });
  const queue = new (require(package_))('orders', { redis: { host: '127.0.0.1', port }, stallInterval: stallMs });
  queue.process(5, async (job) => {
    await redis.incr(`ran:${job.data.order}`);
    await redis.sadd('workers', process.pid);
    await until(async () => assert.ok((await redis.scard('workers')) >= Number(processes)));
    return job.data.order * 2;
  });
  await queue.ready();
}

async function jobsRunOnce(queue) {
  await Promise.all([start('worker', 2), start('worker', 2)]);
  const results = new Map();
  queue.on('job succeeded', (id, result) => results.set(id, result));
  const jobs = Array.from({ length: 200 }, (_, order) => queue.createJob({ order }));
  await Promise.all(jobs.slice(0, 100).map((job) => job.save()));
  assert.equal((await queue.saveAll(jobs.slice(100))).size, 0);

  await awaitHealth(queue, { waiting: 0, active: 0, succeeded: 200, failed: 0, newestJob: 200 });
  await until(async () => assert.equal(results.size, 200));

  assert.ok(jobs.every((job) => results.get(job.id) === job.data.order * 2));
  const redis = connect(queue);
  assert.deepEqual(await redis.mget(jobs.map((_, order) => `ran:${order}`)), jobs.map(() => '1'));
  await redis.quit();
}

async function delayed(queue) {
  const late = await queue.createJob({ name: 'late' }).delayUntil(Date.now() + hourMs).save();
  const began = Date.now();
  const soon = await queue.createJob({ name: 'soon' }).delayUntil(began + 300).save();
  await awaitHealth(queue, { delayed: 2, waiting: 0 });
  const served = next(soon, 'succeeded');
  queue.process(async () => Date.now());

  assert.ok((await served)[0] >= began + 300);
  await awaitHealth(queue, { delayed: 1, succeeded: 1 });
  await late.remove();
  await awaitHealth(queue, { delayed: 0 });
}

async function retried(queue) {
  let attempts = 0;
  queue.process(async (job) => {
    if (job.data.closed || ++attempts < 3) {
      throw new Error('not yet');
    }

    return attempts;
  });
  const shaky = queue.createJob({}).retries(5).backoff('fixed', 20);
  const retries = [];
  shaky.on('retrying', (error) => retries.push(error.message));
  const served = next(shaky, 'succeeded');
  await shaky.save();
  assert.deepEqual(await served, [3]);
  assert.deepEqual(retries, ['not yet', 'not yet']);

  const closed = queue.createJob({ closed: true }).retries(1);
  const failed = next(closed, 'failed');
  await closed.save();
  assert.equal((await failed)[0].message, 'not yet');
  await awaitHealth(queue, { waiting: 0, active: 0, succeeded: 1, failed: 1 });
  assert.equal((await queue.getJob(closed.id)).status, 'failed');
}

async function progress(queue) {
  queue.process(async (job) => {
    job.reportProgress({ percent: 40 });
    return 'done';
  });
  const job = queue.createJob({});
  const reported = next(job, 'progress');
  const served = next(job, 'succeeded');
  await job.save();
  assert.deepEqual(await reported, [{ percent: 40 }]);
  assert.deepEqual(await served, ['done']);
}

// A worker that dies with a job has it taken by another one.
async function stalled(queue) {
  const redis = connect(queue);
  const job = queue.createJob({ order: 7 });
  const served = next(job, 'succeeded');
  await job.save();
  const lost = await start('worker', 2);
  await until(async () => assert.equal(await redis.get('ran:7'), '1'));
  lost.kill('SIGKILL');
  queue.process(async (taken) => `taken over: ${taken.data.order}`);
  queue.checkStalledJobs(queue.settings.stallInterval);

  assert.deepEqual(await served, ['taken over: 7']);
  await redis.quit();
}

async function administration(queue, other) {
  const job = await queue.createJob({ n: 1 }).setId('only').save();
  assert.equal((await other.createJob({ n: 2 }).setId('only').save()).id, null);
  assert.deepEqual((await other.getJob('only')).data, { n: 1 });
  assert.deepEqual((await other.getJobs('waiting', { start: 0, end: 10 })).map((found) => found.id), ['only']);
  await job.remove();
  await awaitHealth(other, { waiting: 0 });
  await queue.saveAll(Array.from({ length: 50 }, () => queue.createJob({})));
  await awaitHealth(other, { waiting: 50 });
  await queue.destroy();
  const redis = connect(queue);
  assert.deepEqual(await redis.keys('bq:orders:*'), []);
  await redis.quit();
}

run(
  {
    jobsRunOnce: over(jobsRunOnce),
    delayed: over(delayed, { activateDelayedJobs: true, delayedDebounce: 20 }),
    retried: over(retried, { activateDelayedJobs: true, delayedDebounce: 20 }),
    progress: over(progress),
    stalled: over(stalled, { stallInterval: stallMs }),
    administration: over(administration),
  },
  { worker });
