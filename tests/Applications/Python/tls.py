"""redis-py by TLS with a certificate of its own: python3 tls.py PORT FOLDER VERSION. FOLDER holds the certificates; it
fails by an exception."""

import os
import ssl
import sys

import redis


class OneVersion(redis.SSLConnection):
    """A connection that speaks one version alone: redis-py 4.3 has no option for that."""

    def _connect(self):
        plain = redis.Connection._connect(self)
        context = ssl.create_default_context(cafile=self.ca_certs)
        context.check_hostname = False
        context.load_cert_chain(self.certfile, self.keyfile)
        context.minimum_version = context.maximum_version = VERSION
        return context.wrap_socket(plain)


port, folder, name = sys.argv[1:]
VERSION = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}[name]
pool = redis.ConnectionPool(
    connection_class=OneVersion,
    host="127.0.0.1",
    port=int(port),
    ssl_ca_certs=os.path.join(folder, "authority.crt"),
    ssl_certfile=os.path.join(folder, "client.crt"),
    ssl_keyfile=os.path.join(folder, "client.key"),
)
client = redis.Redis(connection_pool=pool)
large = b"x" * 300000
assert client.set("k", large)
assert client.get("k") == large
pipe = client.pipeline(transaction=False)
for i in range(500):
    pipe.set(f"k{i}", i)
    pipe.get(f"k{i}")
assert pipe.execute()[1::2] == [b"%d" % i for i in range(500)]
assert client.connection_pool.get_connection("_")._sock.version() == name
