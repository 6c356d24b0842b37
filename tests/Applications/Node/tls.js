'use strict';
// ioredis or node-redis by TLS with a certificate of its own: node tls.js PACKAGE PORT FOLDER VERSION. FOLDER holds the
// certificates; it fails by an exception.
const assert = require('node:assert/strict');
const { readFileSync } = require('node:fs');
const path = require('node:path');

const [package_, port, folder, version] = process.argv.slice(2);
const read = (name) => readFileSync(path.join(folder, name));
const tls = {
  host: '127.0.0.1',
  port: Number(port),
  servername: 'server',
  ca: read('authority.crt'),
  cert: read('client.crt'),
  key: read('client.key'),
  minVersion: version,
  maxVersion: version,
  checkServerIdentity: () => undefined, // The name is no host's; who has signed it counts.
};

async function connect() {
  if (package_.startsWith('ioredis')) {
    const Redis = require(package_);
    return new Redis({ host: tls.host, port: tls.port, tls });
  }

  const client = require(package_).createClient({ socket: { ...tls, tls: true } });
  client.on('error', (error) => console.error(error.message));
  return client.connect();
}

(async () => {
  const redis = await connect();
  const large = 'x'.repeat(300000);
  assert.equal(await redis.set('k', large), 'OK');
  assert.equal(await redis.get('k'), large);
  const numbers = Array.from({ length: 500 }, (_, i) => `${i}`);
  const all = await Promise.all(numbers.map((n) => redis.set(`k${n}`, n).then(() => redis.get(`k${n}`))));
  assert.deepEqual(all, numbers);
  await redis.quit();
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
