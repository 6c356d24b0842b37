#!/bin/bash
# The container's health check: 0 when the server answers a PING on its port within two seconds, or asks for a password.
# The runtime image has no redis-cli; it has bash, whose /dev/tcp is all that a PING needs.
set -eu
exec 3<>"/dev/tcp/127.0.0.1/${STRATA_PORT:-6379}"
printf 'PING\r\n' >&3
if ! IFS= read -r -t 2 reply <&3; then
  echo "The server took the connection and did not answer a PING."
  exit 1
fi
case $reply in
  +PONG* | -NOAUTH*) ;;
  *)
    printf 'The server answered a PING with: %s\n' "$reply"
    exit 1
    ;;
esac
