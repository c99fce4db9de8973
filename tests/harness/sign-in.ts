import type { BrowserContext } from "@playwright/test";
import { readConfig } from "../../server/config.ts";
import { type Foundation, openFoundation } from "../../server/open.ts";
import {
  addOperator,
  findOperator,
  grantAccess,
  type Role,
} from "../../server/team/roster/operators.ts";
import { openSession, sessionCookieName } from "../../server/team/roster/sessions.ts";
import { campusDir } from "./campus.ts";
import type { ServerProcess } from "./server-process.ts";

/** Signs in an operator without a passkey. Creates the operator if necessary. */
export async function signIn(
  { database, keys }: Pick<Foundation, "database" | "keys">,
  at: Temporal.Instant,
  name: string,
  role: Role,
): Promise<{ token: string; cookie: string }> {
  const opened = await database.write(async (transaction) => {
    await addOperator(transaction, name, at);
    const address = `${name.toLowerCase().replaceAll(" ", ".")}@uni.example`;
    const { id = 0 } = (await findOperator(transaction, name)) ?? {};
    await grantAccess(transaction, { id, role, address, invitedAt: at });
    return openSession(transaction, keys, { operatorId: id, device: "Test" }, at);
  });
  const [cookie = ""] = opened.split(";");
  return { token: cookie.slice(sessionCookieName.length + 1), cookie };
}

/** Runs `work` on a server's store while the server is running. */
export async function beside<Result>(
  server: Pick<ServerProcess, "dataDir">,
  work: (foundation: Foundation) => Promise<Result>,
): Promise<Result> {
  const read = readConfig({ DATA_DIR: server.dataDir, CAMPUS_DIR: campusDir });
  if (!read.ok) throw new Error(read.problems.join(" "));
  const opened = await openFoundation(read.config, { create: false });
  if (!opened.ok) throw new Error(opened.problem);
  try {
    return await work(opened.foundation);
  } finally {
    await opened.foundation.database.close();
  }
}

export async function signInBrowser(
  context: BrowserContext,
  server: Pick<ServerProcess, "dataDir" | "url">,
  name: string,
  role: Role = "operator",
): Promise<void> {
  const { token } = await beside(server, (foundation) =>
    signIn(foundation, foundation.clock(), name, role),
  );
  await context.addCookies([operatorCookie(server.url, token)]);
}

export function operatorCookie(siteUrl: string, token: string) {
  return {
    name: sessionCookieName,
    value: token,
    // Secure cookies need an https URL here. Chromium also sends them to localhost over http.
    url: siteUrl.replace("http:", "https:"),
    secure: true,
    httpOnly: true,
    sameSite: "Lax" as const,
  };
}
