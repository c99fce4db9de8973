import { data } from "react-router";

/** Tells the router, too, that nothing came of it: no page is read again while the server cannot be reached. */
const unreached = 503;

/**
 * Sends a form within the page. Where the server cannot be reached, the page stays with everything that was typed and
 * says so; what the server itself answers goes its way.
 */
export async function sendOrKeep<Answer>(send: () => Promise<Answer>) {
  try {
    return await send();
  } catch (error) {
    // What `fetch` throws where nothing answers.
    if (error instanceof TypeError) return data({ offline: true } as const, { status: unreached });
    throw error;
  }
}

/** Whether a page is read again after an act: also where it was refused, since somebody else may have been first. */
export function isWorthReading({
  actionStatus,
  formData,
}: {
  actionStatus?: number;
  formData?: FormData;
}): boolean {
  // A draft changes nothing.
  return actionStatus !== unreached && !formData?.has("preview");
}
