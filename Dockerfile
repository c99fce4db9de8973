# The site, built with the campus in campus/ (or with --build-arg CAMPUS_DIR=campus-examples/kaltensee).
FROM node:26.10.0-bookworm-slim
ARG CAMPUS_DIR=campus
ENV CAMPUS_DIR=$CAMPUS_DIR
WORKDIR /srv/campus-ride
COPY . .
# Installs and builds like the project's commands, so that they don't try again in the read-only container.
RUN node -e 'import("./scripts/project.mjs").then((project) => { project.ensureInstalled(); project.ensureBuilt(); })'
# Commands, including npm, write only in /tmp.
ENV NPM_CONFIG_CACHE=/tmp/npm NPM_CONFIG_UPDATE_NOTIFIER=false
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/campus-ride
RUN mkdir -m 0700 /var/lib/campus-ride && chown node:node /var/lib/campus-ride
USER node
EXPOSE 3000
CMD ["node", "server/main.ts"]
