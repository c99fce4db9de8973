import type { PageHandle } from "../../document/page-handle.ts";

export const handle: PageHandle = { operators: true };

/** Due dates for a calendar program, which signs in nowhere: whoever has the address sees them. */
export function loader() {
  throw new Response(null, { status: 404 });
}
