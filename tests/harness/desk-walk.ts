import { confirmedRequest } from "./confirmed-request.ts";
import { operatorCookie, signIn } from "./sign-in.ts";
import { openTestSite } from "./test-site.ts";

/** A week's work for operators: a site on this machine with requests in many states, and two people to do it. */

const names = ["anika", "kabir", "nusrat", "tanvir", "farhana", "rafi", "sadia", "imran", "mitu"];

export type DeskWalk = Awaited<ReturnType<typeof walkDesk>>;

/** @param count how many confirmed requests wait for somebody */
export async function walkDesk(count: number) {
  const site = await openTestSite({ listen: true });
  const references: string[] = [];
  const addressOf = (index: number) => `${names[index % names.length]}.${index}.rahman@uni.example`;
  for (let index = 0; index < count; index++) {
    references.push(await confirmedRequest(site, addressOf(index)));
  }
  return {
    site,
    references,
    addressOf,
    /** The cookie of somebody who is signed in, for a browser's context. */
    async cookieOf(name: string, role: "operator" | "admin" = "operator") {
      const { token } = await signIn(site.database, site.clock(), name, role);
      return operatorCookie(site.publicUrl, token);
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}
