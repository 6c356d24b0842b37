'use strict';
// Runs one scenario of a program: node PROGRAM PACKAGE PORT SCENARIO. It fails by an exception, which ends the process
// with exit code 1 and the reason on standard error. "list" as the only argument prints the scenarios' names.

exports.run = async (scenarios) => {
  const [package_, port, name] = process.argv.slice(2);
  if (package_ === 'list') {
    console.log(Object.keys(scenarios).join('\n'));
    return;
  }

  const scenario = scenarios[name];
  if (!scenario) {
    throw new Error(`there is no scenario '${name}'`);
  }

  await scenario(package_, Number(port));
  process.exit(); // socket.io keeps a timer for every question until its limit, answered or not
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
