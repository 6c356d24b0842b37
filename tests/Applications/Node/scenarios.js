'use strict';
// Runs one scenario of a program: node PROGRAM PACKAGE PORT SCENARIO. It fails by an exception, which ends the process
// with exit code 1 and the reason on standard error. "list" as the only argument prints the scenarios' names. Helpers
// are what a scenario runs in processes of their own, by "start".
const { fork } = require('node:child_process');

exports.run = async (scenarios, helpers = {}) => {
  const [package_, port, name, ...rest] = process.argv.slice(2);
  if (package_ === 'list') {
    console.log(Object.keys(scenarios).join('\n'));
    return;
  }

  if (process.send) {
    process.once('disconnect', () => process.exit());
    await helpers[name](package_, Number(port), ...rest);
    process.send('ready');
    return;
  }

  const scenario = scenarios[name];
  if (!scenario) {
    throw new Error(`there is no scenario '${name}'`);
  }

  await scenario(package_, Number(port));
  process.exit(); // socket.io keeps a timer for every question until its limit, answered or not
};

// Starts a helper of this program in a process of its own and waits until it is ready. It ends with this process.
exports.start = async (helper, ...args) => {
  const [package_, port] = process.argv.slice(2);
  const child = fork(process.argv[1], [package_, port, helper, ...args.map(String)]);
  child.once('exit', (code, signal) => {
    if (code !== 0 && signal !== 'SIGKILL') {
      throw new Error(`the helper '${helper}' ended with ${signal ?? code}`);
    }
  });
  await exports.next(child, 'message');
  return child;
};

// The first event of this name, as an array of its arguments.
exports.next = (emitter, event) => new Promise((resolve) => emitter.once(event, (...args) => resolve(args)));

// Tries until the check returns without an exception; the test that started the process sets the limit.
exports.until = async (check) => {
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (error.code !== 'ERR_ASSERTION') {
        throw error;
      }

      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
};

// A client of either library; only node-redis has pools.
exports.connectedClient = async (package_, port) => {
  const library = require(package_);
  if (library.createClientPool) {
    const redis = await library.createClient({ socket: { host: '127.0.0.1', port } }).connect();
    return { redis, close: () => redis.close() };
  }

  const redis = new library({ host: '127.0.0.1', port });
  return { redis, close: () => redis.quit() };
};
