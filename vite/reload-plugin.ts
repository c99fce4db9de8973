import type { Plugin } from "vite";

/** Pages carry no framework script, so in development any changed source reloads the whole page. */
export function reloadPlugin(): Plugin {
  return {
    name: "reload-page",
    hotUpdate({ file, server }) {
      const isSource = /[\\/](app|campus|server)[\\/]/.test(file);
      if (this.environment.name !== "client" || !isSource) return;
      server.environments.client.hot.send({ type: "full-reload" });
      return [];
    },
  };
}
