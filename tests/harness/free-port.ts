import { once } from "node:events";
import { createServer, type ListenOptions, type Server } from "node:net";

/**
 * Below the ports that systems give to whoever asks for any, a client's end of a connection among them: between finding
 * a port and using it, nobody is given it by chance.
 */
const first = 20_000;
const count = 10_000;

/** What this process has tried. On Linux a name holds each for it, so that no other process of the tests finds it, too. */
const tried = new Set<number>();

/** A port that nobody listens on, and that no test finds again while this process lives. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    if (tried.has(port)) continue;
    tried.add(port);
    // A socket by name alone goes with the process, however that ends.
    const name = { path: `\0campus-tests-port-${port}` };
    if (process.platform === "linux" && !(await listen(name))) continue;
    const server = await listen({ port, host: "127.0.0.1" });
    if (!server) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Undefined where somebody listens already. */
async function listen(where: ListenOptions): Promise<Server | undefined> {
  const server = createServer().unref();
  try {
    await once(server.listen(where), "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return undefined;
    throw error;
  }
}
