# The site, built with the campus in campus/ (or with --build-arg CAMPUS_DIR=campus-examples/kaltensee).
# The tag names the pinned Node exactly. Renovate renews tag and digest.
FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2 AS node

FROM node AS build
ARG CAMPUS_DIR=campus
ENV CAMPUS_DIR=$CAMPUS_DIR
WORKDIR /srv/campus-ride
COPY . .
RUN node scripts/build.mjs && node scripts/image-files.mjs /srv/image

# Debian and Node without debug symbols, headers and Yarn: some 45 MB less.
FROM node AS base
RUN apt-get update && apt-get install --yes --no-install-recommends binutils \
    && strip /usr/local/bin/node \
    && apt-get purge --yes --auto-remove binutils \
    && rm -rf /usr/local/include /opt/yarn* /usr/local/bin/yarn* /var/lib/apt/lists/* /var/cache/apt/* \
    && mkdir -m 0700 /var/lib/campus-ride /var/lib/campus-ride-copies \
    && chown node:node /var/lib/campus-ride*

# Only what runs: no build tools, no second Node. A new first layer, because a layer on top of the base
# would only hide the removed files.
FROM scratch
COPY --from=base / /
ARG CAMPUS_DIR=campus
ENV CAMPUS_DIR=$CAMPUS_DIR
LABEL org.opencontainers.image.title="Campus ride-share website" \
      org.opencontainers.image.licenses="MIT"
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# Commands, including npm, write only in /tmp.
ENV NPM_CONFIG_CACHE=/tmp/npm NPM_CONFIG_UPDATE_NOTIFIER=false
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/campus-ride
WORKDIR /srv/campus-ride
COPY --from=build /srv/image .
USER node
EXPOSE 3000
# Asks the process alone: a restart would not bring the database back.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "scripts/alive.mjs"]
# The same option as in examples/systemd/campus-ride.service.
CMD ["node", "--max-semi-space-size=16", "server/main.ts"]
