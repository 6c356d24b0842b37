# All images of the server: docker build --build-arg IMAGE=NAME -t strata .
# NAME is ubuntu, debian, alpine, azurelinux or chiseled (Ubuntu without a shell or packages); more: docs/DOCKER.md.
# Needs BuildKit, which builds of these stages the ones that NAME leads to.
ARG IMAGE=ubuntu

# What all is built with: on the distribution that it will run on. It needs a C library no older than the one it met here,
# and musl's loader takes nothing that was linked with glibc.
FROM scratch AS sources
ADD --checksum=sha256:60b367dbdc6f2b0418a6e0cd203ee0049d9d629a36706fcf91dfb9428bae23c8 \
    https://github.com/axboe/liburing/archive/refs/tags/liburing-2.3.tar.gz /liburing.tar.gz
ADD --checksum=sha256:2c44d1c5fd0d43752287c9ae1eb9c023f04ef848ea8d4aafa46e9aedb678200b \
    https://releases.pagure.org/libaio/libaio-0.3.113.tar.gz /libaio.tar.gz
ADD --checksum=sha256:2640fc56a795f29d28ef15e13c34a47e223960b0240e8cb0a82d9b0738695333 \
    https://www.lua.org/ftp/lua-5.1.5.tar.gz /lua.tar.gz
COPY scripts/static-archives.sh /

FROM ubuntu:24.04 AS tools-ubuntu
# Versions follow the base image, which is what pins them.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates cmake g++ libaio-dev liblua5.1-0-dev libssl-dev liburing-dev make \
    && rm -rf /var/lib/apt/lists/*

FROM tools-ubuntu AS tools-chiseled

FROM debian:12 AS tools-debian
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates cmake g++ libaio-dev liblua5.1-0-dev libssl-dev liburing-dev make \
    && rm -rf /var/lib/apt/lists/*

FROM alpine:3.23 AS tools-alpine
# hadolint ignore=DL3018
RUN apk add --no-cache build-base ca-certificates cmake linux-headers openssl-dev
# The packages of this distribution bring no static archives.
COPY --from=sources / /tmp/
RUN /tmp/static-archives.sh /tmp/liburing.tar.gz /tmp/libaio.tar.gz /tmp/lua.tar.gz /usr

FROM mcr.microsoft.com/azurelinux/base/core:3.0 AS tools-azurelinux
RUN tdnf install -y binutils ca-certificates cmake diffutils gawk gcc gcc-c++ glibc-devel gzip kernel-headers make openssl-devel tar \
    && tdnf clean all
# Nor do those of this one.
COPY --from=sources / /tmp/
RUN /tmp/static-archives.sh /tmp/liburing.tar.gz /tmp/libaio.tar.gz /tmp/lua.tar.gz /usr

# hadolint ignore=DL3006
FROM tools-${IMAGE} AS shim
COPY native /src/native
RUN cmake -S /src/native -B /build -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
    && cmake --build /build --parallel \
    && cmake --install /build --prefix /shim
# A folder and a conf for the last stage, which may have no shell to make them with. Who may reach a container is decided
# by its network and its published ports; with protected-mode, a server that has no password would refuse every client
# outside its own container. A conf that is mounted over this one decides for itself.
COPY conf/strata.conf /conf/strata.conf
RUN mkdir /empty && sed -i 's/^protected-mode yes$/protected-mode no/' /conf/strata.conf

# Where the .NET SDK comes from.
FROM mcr.microsoft.com/dotnet/sdk:10.0-noble AS sdk-ubuntu
FROM sdk-ubuntu AS sdk-chiseled
FROM sdk-ubuntu AS sdk-debian
FROM mcr.microsoft.com/dotnet/sdk:10.0-alpine3.23 AS sdk-alpine
FROM mcr.microsoft.com/dotnet/sdk:10.0-azurelinux3.0 AS sdk-azurelinux

# hadolint ignore=DL3006
FROM sdk-${IMAGE} AS sdk

# hadolint ignore=DL3006
FROM tools-${IMAGE} AS build
ENV DOTNET_NOLOGO=1 \
    DOTNET_CLI_TELEMETRY_OPTOUT=1 \
    DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
COPY --from=sdk /usr/share/dotnet /usr/share/dotnet
WORKDIR /src
# Packages are restored in a layer of their own, which changes with the projects and not with the code.
COPY global.json Directory.Build.props Directory.Packages.props .editorconfig ./
COPY storage/Strata.Storage.csproj storage/
COPY server/Strata.Server.csproj server/
RUN /usr/share/dotnet/dotnet restore server/Strata.Server.csproj
COPY storage storage
COPY server server
RUN /usr/share/dotnet/dotnet publish server/Strata.Server.csproj -c Release -o /app \
    && rm -f /app/*.dbg /app/*.pdb

# What the server runs on: a C library and OpenSSL. APP_UID is the images' user without rights.
FROM mcr.microsoft.com/dotnet/runtime-deps:10.0-noble-chiseled AS runtime-chiseled
FROM mcr.microsoft.com/dotnet/runtime-deps:10.0-noble AS runtime-ubuntu
FROM mcr.microsoft.com/dotnet/runtime-deps:10.0-azurelinux3.0 AS runtime-azurelinux
FROM mcr.microsoft.com/dotnet/runtime-deps:10.0-alpine3.23 AS runtime-alpine

FROM debian:12-slim AS runtime-debian
ENV APP_UID=1654
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libssl3 \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid "$APP_UID" app \
    && useradd --uid "$APP_UID" --gid "$APP_UID" --no-create-home --shell /usr/sbin/nologin app

# hadolint ignore=DL3006
FROM runtime-${IMAGE}
LABEL org.opencontainers.image.title="Strata" \
      org.opencontainers.image.description="A Redis-compatible cache server" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /app /opt/strata
COPY --from=shim /shim /opt/strata
COPY --from=shim /conf/strata.conf /etc/strata/strata.conf
COPY --from=shim --chown=$APP_UID:$APP_UID /empty /data
WORKDIR /data
VOLUME /data
USER $APP_UID
EXPOSE 6379
STOPSIGNAL SIGTERM
# Asks the server that runs in the container, wherever its conf, environment and flags make it listen; needs no shell.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["/opt/strata/strata-server", "--health"]
# Mount a conf of your own over /etc/strata/strata.conf; flags after the image's name go over it.
ENTRYPOINT ["/opt/strata/strata-server", "--conf", "/etc/strata/strata.conf"]
