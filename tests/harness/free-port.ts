import { createServer, type Server } from "node:net";

/**
 * Below the ports that systems give to whoever asks for any, a client's end of a connection among them: between finding
 * a port and using it, nobody is given it by chance.
 */
const first = 20_000;
const count = 10_000;

/** What this process has found. On Linux a name holds each for it, so that no other process of the tests finds it, too. */
const claims = new Map<number, Server | undefined>();

/** A port that nobody listens on, and that no test finds again while this process lives. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    if (claims.has(port) || !(await isFree(port))) continue;
    if (claims.has(port)) continue;
    const claim = process.platform === "linux" ? await claimName(port) : undefined;
    if (claim === "taken") continue;
    claims.set(port, claim);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen({ port, host: "127.0.0.1" });
  if (!server) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** A socket by name alone, which goes with the process, however that ends; undefined where there are none such. */
async function claimName(port: number): Promise<Server | "taken" | undefined> {
  try {
    const server = await listen({ path: `\0campus-tests-port-${port}` });
    return server?.unref() ?? "taken";
  } catch {
    return undefined;
  }
}

/** Undefined where somebody listens already. */
function listen(
  where: { port: number; host: string } | { path: string },
): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    server.listen(where, () => resolve(server));
  });
}
