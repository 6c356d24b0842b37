# Ubuntu. Other images: docker/, docs/DOCKER.md.
# The native library, on the distribution that it will run on: it needs a C library no older than the one it met here.
FROM ubuntu:24.04 AS shim
# Versions follow the base image, which is what pins them.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends cmake g++ libaio-dev liburing-dev make \
    && rm -rf /var/lib/apt/lists/*
COPY native /src/native
RUN cmake -S /src/native -B /build -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
    && cmake --build /build --parallel \
    && cmake --install /build --prefix /shim

FROM mcr.microsoft.com/dotnet/sdk:10.0-noble AS build
WORKDIR /src
# Packages are restored in a layer of their own, which changes with the projects and not with the code.
COPY global.json Directory.Build.props Directory.Packages.props .editorconfig ./
COPY storage/Strata.Storage.csproj storage/
COPY server/Strata.Server.csproj server/
RUN dotnet restore server/Strata.Server.csproj
COPY storage storage
COPY server server
RUN dotnet publish server/Strata.Server.csproj -c Release -o /app

FROM mcr.microsoft.com/dotnet/runtime:10.0-noble
LABEL org.opencontainers.image.title="Strata" \
      org.opencontainers.image.description="A Redis-compatible cache server" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /app /opt/strata
COPY --from=shim /shim /opt/strata
COPY scripts/healthcheck.sh /opt/strata/healthcheck.sh
COPY conf/strata.conf /etc/strata/strata.conf
# APP_UID is the base image's user without rights.
RUN install -d -o "$APP_UID" -g "$APP_UID" /data
WORKDIR /data
VOLUME /data
USER $APP_UID
# Who may reach a container is decided by its network and its published ports; without this, a server that has no
# password would refuse every client outside its own container.
ENV STRATA_PROTECTED_MODE=no
EXPOSE 6379
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["/opt/strata/healthcheck.sh"]
# Mount a conf of your own over /etc/strata/strata.conf; flags after the image's name go over it.
ENTRYPOINT ["/opt/strata/strata-server", "--conf", "/etc/strata/strata.conf"]
