#!/bin/sh
# What the scripts at the top share; they source it after setting $root to the repository's folder.
# It makes the .NET SDK usable, checks the machine for the tools that are needed and installs the missing ones.

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }
has_header() { [ -f "/usr/include/$1" ] || [ -f "/usr/local/include/$1" ]; }

# setup_dotnet: ends with a message unless an SDK that global.json accepts can be started.
setup_dotnet() {
  link=https://dotnet.microsoft.com/download/dotnet/10.0
  [ "$(uname -s)" = Linux ] || fail "Strata runs on Linux only (epoll, eventfd); this machine says it is $(uname -s)."
  has dotnet || fail "the .NET 10 SDK is needed and no dotnet is in PATH. Get it from $link and run this again."

  export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1
  # Nothing here formats by culture, so that a machine without ICU can build and test.
  export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
  # MSBuild's worker processes would stay for 15 minutes and take memory beside the server.
  export MSBUILDDISABLENODEREUSE=1
  # A program started by itself looks for its runtime in the system's folders only, not where PATH's dotnet lives.
  dotnet_home=$(dirname -- "$(readlink -f -- "$(command -v dotnet)")")
  if [ -z "${DOTNET_ROOT:-}" ] && [ -d "$dotnet_home/host/fxr" ]; then
    export DOTNET_ROOT="$dotnet_home"
  fi

  if ! sdk_version=$(cd "$root" && dotnet --version 2>/dev/null); then
    found=$(dotnet --list-sdks 2>/dev/null | sed 's/ .*//' | tr '\n' ' ')
    fail "the .NET SDK is missing or too old: 10.0.100 or a later 10.0 is needed (global.json), \
found: ${found:-none}. Get it from $link and run this again."
  fi
}

# setup_tools build|test: installs the commands that building (and, with test, testing) calls and that are not there.
setup_tools() {
  missing=
  has cmake || missing="$missing cmake"
  has c++ || has g++ || has clang++ || missing="$missing c++"
  has make || has ninja || missing="$missing make"
  has_header liburing.h || missing="$missing liburing"
  has_header libaio.h || missing="$missing libaio"
  has_header openssl/ssl.h || missing="$missing openssl"
  has_header lua5.1/lua.h || has_header lua-5.1/lua.h || missing="$missing lua5.1"
  [ -z "$missing" ] || install_tools "$missing" "to build the native libraries" || exit 1

  [ "$1" = test ] || return 0
  missing=
  has redis-server || missing="$missing redis-server"
  has redis-cli && has redis-benchmark || missing="$missing redis-tools"
  install_for_tests "$missing" "whose replies the tests compare with, and whose tools they run"
  # Only root can build an image out of a base of debootstrap's.
  if [ "$(id -u)" -eq 0 ] && [ "${left_out:-}" != Long ]; then
    missing=
    has buildah || missing="$missing buildah"
    has debootstrap || missing="$missing debootstrap"
    has wget || missing="$missing wget"
    [ -z "$missing" ] || install_tools "$missing" "with which the tests build the image" ||
      say "Going on without: the tests of the image will be skipped."
  fi
  missing=
  has node || missing="$missing nodejs"
  has npm || missing="$missing npm"
  has_python_module redis || missing="$missing python3-redis"
  has_python_module django_redis || missing="$missing python3-django-redis"
  install_for_tests "$missing" "whose programs the tests run over the server"
  # Not every distribution has these, and a list with one that it doesn't have installs nothing.
  missing=
  has_python_module celery || missing="$missing python3-celery"
  has_python_module rq || missing="$missing python3-rq"
  has_python_module flask_limiter || missing="$missing python3-flask-limiter"
  has promtool && has prometheus || missing="$missing prometheus"
  has ruby && ruby -e 'require "sidekiq"' 2>/dev/null || missing="$missing ruby-sidekiq"
  install_for_tests "$missing" "whose programs the tests run over the server"
  missing=
  has chromium || has chromium-browser || has google-chrome || missing=" chromium"
  install_for_tests "$missing" "in which the tests look at the live page"
  if ! install_node_packages; then
    [ -z "${CI:-}" ] || exit 1
    say "Going on without: the tests that need them will be skipped."
  fi
}

# install_for_tests "tools" "why": the tests go on without what can't be installed, but not in continuous integration.
install_for_tests() {
  [ -n "$1" ] || return 0
  if ! install_tools "$1" "$2"; then
    [ -z "${CI:-}" ] || exit 1
    say "Going on without: the tests that need them will be skipped."
  fi
}

# has_python_module NAME: whether one of the interpreters that the tests look at has it.
has_python_module() {
  for interpreter in /usr/bin/python3 python3; do
    if has "$interpreter" && "$interpreter" -c "import $1" 2>/dev/null; then
      return 0
    fi
  done
  return 1
}

# install_node_packages: what the tests' Node.js programs use, to out/node, when their list has changed. 1 where they
# cannot be had.
install_node_packages() {
  has node && has npm || return 0
  list=$root/tests/Applications/Node
  target=$root/out/node
  wanted=$(cat "$list/package.json" "$list/package-lock.json" | sha256sum | cut -d ' ' -f 1)
  [ "$(cat "$target/.installed" 2>/dev/null)" != "$wanted" ] || return 0
  say "Installing the packages of tests/Applications/Node to out/node: npm ci"
  rm -rf "$target"
  mkdir -p "$target"
  cp "$list/package.json" "$list/package-lock.json" "$target"
  if ! (cd "$target" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null); then
    say "npm could not install them. Mend what it says and run this again." >&2
    return 1
  fi
  printf '%s\n' "$wanted" >"$target/.installed"
}

# install_tools "tools" "why": 1, with the reason said, where they cannot be installed.
install_tools() {
  manager=
  for candidate in apt-get dnf apk; do
    if has "$candidate"; then
      manager=$candidate
      break
    fi
  done
  if [ -z "$manager" ]; then
    say "Missing:$1 ($2). None of apt-get, dnf and apk is here: install them by hand and run this again." >&2
    return 1
  fi

  packages=
  for tool in $1; do
    packages="$packages $(package_of "$manager" "$tool")"
  done
  case $manager in
    apt-get) command="apt-get install -y --no-install-recommends$packages" ;;
    dnf) command="dnf install -y$packages" ;;
    apk) command="apk add$packages" ;;
  esac
  if [ "$(id -u)" -ne 0 ] && ! has sudo; then
    say "Missing:$1 ($2). Neither root nor sudo is at hand: have an administrator run: $command" >&2
    return 1
  fi

  say "Installing$packages ($2): $command"
  # $command is split into words on purpose: package names hold no blanks.
  # shellcheck disable=SC2086
  if ! as_root sh "$root/scripts/install-quietly.sh" $command; then
    say "Could not install$packages. Run it by hand, mend what it says, and run this again: $command" >&2
    return 1
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif [ -t 0 ]; then
    sudo "$@"
  else
    sudo -n "$@" # nobody is there to type a password
  fi
}

# package_of MANAGER TOOL: the package that brings the tool there.
package_of() {
  case $1:$2 in
    apt-get:c++) echo g++ ;;
    dnf:c++) echo gcc-c++ ;;
    apk:c++) echo build-base ;;
    apt-get:openssl) echo libssl-dev ;;
    dnf:openssl) echo openssl-devel ;;
    apk:openssl) echo openssl-dev ;;
    apt-get:lua5.1) echo liblua5.1-0-dev ;;
    dnf:lua5.1) echo compat-lua-devel ;;
    apk:lua5.1) echo lua5.1-dev ;;
    apt-get:lib* | apk:lib*) echo "$2-dev" ;;
    dnf:lib*) echo "$2-devel" ;;
    dnf:redis-* | apk:redis-*) echo redis ;;
    apk:python3-*) echo "py3-${2#python3-}" ;;
    *) echo "$2" ;;
  esac
}
