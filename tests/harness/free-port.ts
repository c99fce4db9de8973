import { once } from "node:events";
import { createServer, type ListenOptions, type Server } from "node:net";

/**
 * Lowest port to try. The range is below the ephemeral ports, which the system may give to any
 * program.
 */
const first = 20_000;
const count = 10_000;

/**
 * Ports that this process has tried. On Linux, an abstract socket also reserves the port against
 * other test processes.
 */
const tried = new Set<number>();

/** Finds an unused port and reserves it among tests while this process runs. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    if (tried.has(port)) continue;
    tried.add(port);
    // The system removes an abstract socket when its process ends, even after a kill.
    const name = { path: `\0campus-tests-port-${port}` };
    if (process.platform === "linux" && !(await listen(name))) continue;
    const server = await listen({ port, host: "127.0.0.1" });
    if (!server) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Starts listening. Returns undefined if the address is taken. */
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
