#!/bin/sh
# Builds the Debian image out of ./Dockerfile where no registry of images can be reached, nor Docker: `docker build` is
# the way everywhere else. Debian's base comes from debootstrap. The .NET image is stood in for by the SDK of this
# machine. NuGet's settings (user's and machine's files, NUGET_* variables), proxies and certificates are
# this machine's, too. The tests run it (tests/Image).
# Usage: scripts/build-image.sh FOLDER
#   FOLDER   holds the image when this is done, as strata:debian in a storage of buildah's (about 2 GB):
#            buildah --root FOLDER/storage --runroot FOLDER/run --storage-driver vfs images
#   DEBIAN_MIRROR   the mirror to take packages from (default http://deb.debian.org/debian)
# What was downloaded of Debian is kept for a week in out/image.
# Exit code 77 and a line that says why, where this machine cannot build it; another one where the build failed.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/scripts/setup.sh"
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
suite=bookworm
cache=$root/out/image
base=$cache/$suite-$(uname -m).tar

cannot() {
  say "$(basename -- "$0"): $*" >&2
  exit 77
}

check_machine() {
  [ "$(id -u)" -eq 0 ] || cannot "only root can make the base image's files (debootstrap)."
  for tool in buildah debootstrap wget; do
    has "$tool" || cannot "$tool is missing: ./test.sh installs it, or a package of that name does."
  done
  unshare --mount true 2>/dev/null || cannot "this machine lets root make no mount namespace, which buildah needs."
  wget -q --spider --tries=2 --timeout=20 "$mirror/dists/$suite/InRelease" ||
    cannot "$mirror, where Debian's packages come from, cannot be reached (DEBIAN_MIRROR names another)."
}

# make_base: Debian without documentation and package lists, as its own slim image is.
make_base() {
  if [ -d "$cache/packages" ] && [ -n "$(find "$base" -mtime -7 2>/dev/null)" ]; then
    return 0
  fi
  say "Fetching Debian's base system: debootstrap $suite"
  rm -rf "$cache/packages" "$work/base" "$base"
  mkdir -p "$cache/packages"
  debootstrap --variant=minbase --cache-dir="$cache/packages" "$suite" "$work/base" "$mirror" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "debootstrap failed; it wrote the above."
  }
  tar -C "$work/base" --exclude='./dev/*' --exclude='./usr/share/doc/*' --exclude='./usr/share/locale/*' \
    --exclude='./usr/share/man/*' --exclude='./var/cache/apt/*' --exclude='./var/lib/apt/lists/*' -cf "$base.next" .
  mv "$base.next" "$base"
  rm -rf "$work/base"
}

b() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }

# stand_in FROM NAME COMMANDS...: makes an image out of another with COMMANDS, which know its container as $container.
stand_in() {
  from=$1
  name=$2
  shift 2
  container=$(b from --pull-never "$from")
  for step in "$@"; do
    $step
  done
  b commit --quiet --rm "$container" "$name" >/dev/null
}

add() { b add --quiet "$container" "$@" >/dev/null; }

add_base() { add "$base" /; }

# add_settings: what NuGet needs to know of this machine, where the server is built.
add_settings() {
  for bundle in "${SSL_CERT_FILE:-}" /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
    if [ -f "$bundle" ]; then
      add "$bundle" /etc/ssl/machine.crt
      b config --env SSL_CERT_FILE=/etc/ssl/machine.crt "$container"
      break
    fi
  done
  add_nuget_settings
  b config --env DOTNET_GENERATE_ASPNET_CERTIFICATE=false "$container"
  # Processes of a container end with it, but here: MSBuild's and the compiler's would stay for minutes.
  b config --env MSBUILDDISABLENODEREUSE=1 --env UseSharedCompilation=false "$container"
  # By name alone: buildah takes the value from its environment, so that none is seen in a list of processes.
  for variable in $(env | sed -n 's/^\(NUGET_[A-Z_]*\|NuGet[A-Za-z_]*\)=.*/\1/p'); do
    b config --env "$variable" "$container"
  done
}

# add_nuget_settings: every file that counts on this machine, the closest first; NuGet reads them by their names.
add_nuget_settings() {
  number=10
  (cd "$root" && dotnet nuget config paths) | while IFS= read -r file; do
    number=$((number + 1))
    add "$file" "/root/.nuget/config/$number.config"
  done
}

# add_sdk: the place of the SDK, which is mounted for the build: a copy of it takes longer than the build.
add_sdk() {
  mkdir -p "$work/dotnet"
  add "$work/dotnet" /usr/share/dotnet
  rmdir "$work/dotnet"
}

[ $# -eq 1 ] || fail "usage: scripts/build-image.sh FOLDER"
setup_dotnet
check_machine
mkdir -p "$1" "$cache"
# What a test that was killed left there.
find "$cache" -maxdepth 1 -name 'storage-*' -mmin +720 -exec rm -rf {} +
work=$(CDPATH='' cd -- "$1" && pwd)
if has flock; then
  exec 9>"$cache/.lock" # One build at a time uses out/image.
  flock 9
fi

make_base
say "Making stand-ins for the images that the Dockerfile begins with"
stand_in scratch docker.io/library/debian:12-slim add_base
stand_in docker.io/library/debian:12-slim docker.io/library/debian:12 add_settings
stand_in scratch mcr.microsoft.com/dotnet/sdk:10.0-noble add_sdk
say "Building strata:debian"
# Docker's format, for OCI's has no health check.
b bud --isolation chroot --format docker --pull-never --build-arg IMAGE=debian --tag strata:debian \
  --volume "$dotnet_home:/usr/share/dotnet:ro" --volume "$cache/packages:/var/cache/apt/archives" "$root"
