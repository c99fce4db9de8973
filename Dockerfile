# The site, built with the campus in campus/ (or with --build-arg CAMPUS_DIR=campus-examples/kaltensee).
# The tag names the pinned Node exactly. Renovate adds and renews its digest.
FROM node:26.10.0-bookworm-slim AS build
ARG CAMPUS_DIR=campus
ENV CAMPUS_DIR=$CAMPUS_DIR
WORKDIR /srv/campus-ride
COPY . .
RUN node scripts/build.mjs && node scripts/image-files.mjs /srv/image

# Only what runs: no build tools, no second Node.
FROM node:26.10.0-bookworm-slim
ARG CAMPUS_DIR=campus
ENV CAMPUS_DIR=$CAMPUS_DIR
LABEL org.opencontainers.image.title="Campus ride-share website" \
      org.opencontainers.image.licenses="MIT"
# Commands, including npm, write only in /tmp.
ENV NPM_CONFIG_CACHE=/tmp/npm NPM_CONFIG_UPDATE_NOTIFIER=false
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/campus-ride
RUN mkdir -m 0700 /var/lib/campus-ride /var/lib/campus-ride-copies && chown node:node /var/lib/campus-ride*
WORKDIR /srv/campus-ride
COPY --from=build /srv/image .
USER node
EXPOSE 3000
# Asks the process alone: a restart would not bring the database back.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "scripts/alive.mjs"]
CMD ["node", "server/main.ts"]
