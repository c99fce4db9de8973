import type { ViteDevServer } from "vite";

/**
 * Loads a module and its imports on the server. If a file changes in the meantime, Vite may load
 * a second copy of a module, and a context that one copy sets has no value in the other. This
 * function therefore loads again until no file has changed.
 * @param path path of the module from the root of the project
 */
export async function loadModules(vite: ViteDevServer, path: string): Promise<unknown> {
  for (;;) {
    const startedMs = Date.now();
    const loaded = await vite.ssrLoadModule(path);
    const modules = vite.environments.ssr.moduleGraph.idToModuleMap.values();
    if (!modules.some(({ lastInvalidationTimestamp: atMs }) => atMs >= startedMs)) return loaded;
  }
}
