import type { HandOver } from "../account-system/hand-overs.ts";
import { isWorking, type StoredRequest } from "../deletion-requests/store/request.ts";

/** The account system was asked, and nobody has taken the request from it. */
export function isAtWork(request: StoredRequest, { state }: HandOver): boolean {
  const isAsked = state === "asked" || state === "started";
  return isAsked && isWorking(request) && request.owner === undefined && !request.done;
}
