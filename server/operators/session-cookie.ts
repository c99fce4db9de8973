import { parse } from "hono/utils/cookie";

/**
 * The one cookie of the site. The prefix has browsers refuse it from any other host, without TLS (but on this very
 * machine) and for a part of the site only. Not `Strict`: a link in a mail has to find its operator signed in.
 */
export const sessionCookieName = "__Host-operator";

const attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";

/** Until when a browser keeps it is left to the server, which ends sessions by its own clock. */
export function toSessionCookie(token: string): string {
  return `${sessionCookieName}=${token}; ${attributes}`;
}

export const noSessionCookie = `${sessionCookieName}=; Max-Age=0; ${attributes}`;

/** The token that a browser sent. */
export function readSessionCookie(header: string | null): string | undefined {
  return parse(header ?? "", sessionCookieName)[sessionCookieName];
}
