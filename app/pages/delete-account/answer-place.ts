import { paths } from "../../../server/http/paths.ts";

/**
 * What came of the last act stands in the element with this id. Forms post to its address, and browsers keep a fragment
 * through a redirect (RFC 9110, 10.2.2): so the answer is the first thing seen and has the focus, without script too.
 */
export const answerId = "answer";

export const postAddress = `${paths.deletion}#${answerId}`;

/** The status page of a request, for whoever holds a visit to it. */
export function visitAddress(visit: string): string {
  return `${paths.deletion}?visit=${encodeURIComponent(visit)}`;
}

/** Where the form leads, in the page's language. */
export type Addresses = {
  home: string;
  /** The page itself. */
  page: string;
  /** Where the form posts without script. */
  form: string;
  /** Where it posts from within the page. */
  background: string;
};
