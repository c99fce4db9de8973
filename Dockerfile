# The site, built with the campus of this folder (or --build-arg CAMPUS_DIR=campus-examples/kaltensee).
FROM node:26.10.0-bookworm-slim
ARG CAMPUS_DIR=campus
ENV CAMPUS_DIR=$CAMPUS_DIR
WORKDIR /srv/campus-ride
COPY . .
# As the project's own commands install and build, so that none of them does it again inside, where nothing can be written.
RUN node -e 'import("./scripts/project.mjs").then((project) => { project.ensureInstalled(); project.ensureBuilt(); })'
# Commands write nowhere but in /tmp, npm's own files included.
ENV NPM_CONFIG_CACHE=/tmp/npm NPM_CONFIG_UPDATE_NOTIFIER=false
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/campus-ride
RUN mkdir -m 0700 /var/lib/campus-ride && chown node:node /var/lib/campus-ride
USER node
EXPOSE 3000
CMD ["node", "server/main.ts"]
