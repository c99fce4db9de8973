/** Why somebody stays outside. Each has its own words. */
export type DoorProblem =
  /** Nothing that a passkey of this team answered to a question of ours. */
  | "wrong"
  /** The question is too old, or was answered before. */
  | "expired"
  /** Two devices seem to hold the same passkey. */
  | "doubted"
  | "invitation-used"
  | "invitation-expired"
  | "invitation-unknown"
  | "code-unknown"
  | "last-passkey";

export type Refused = { kind: "refused"; problem: DoorProblem };

export const refused = (problem: DoorProblem): Refused => ({ kind: "refused", problem });
