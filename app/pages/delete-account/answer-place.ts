import { paths } from "../../../server/http/paths.ts";

/**
 * What came of the last act stands in the element with this id. Forms post to its address, and browsers keep a fragment
 * through a redirect (RFC 9110, 10.2.2): so the answer is the first thing seen and has the focus, without script too.
 */
export const answerId = "answer";

export const postAddress = `${paths.deletion}#${answerId}`;
