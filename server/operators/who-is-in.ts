import type { Member } from "./operators.ts";

/** Who of the team is there: whoever was invited and never came in is not, once anybody has come in. */
export function whoIsIn(everybody: readonly Member[]): Member[] {
  const team = everybody.filter(({ leftAt }) => leftAt === undefined);
  const enrolled = team.filter((one) => one.enrolled);
  return enrolled.length > 0 ? enrolled : team;
}

/** Whoever was never invited, or never came in, can invite nobody. */
export function listAdmins(everybody: readonly Member[]): Member[] {
  return whoIsIn(everybody).filter(({ role, invitedAt }) => role === "admin" && invitedAt);
}
