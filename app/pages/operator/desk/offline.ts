import { data } from "react-router";

/** Tells the router, too, that nothing came of it: no page is read again while the server cannot be reached. */
const unreached = 503;

/** Fields that a page fills by itself. */
const filled = ["act", "seen", "formKey", "preview", "reference", "id", "role"];

/** A form that may not have arrived: with something in it that somebody typed or chose, or a button alone. */
export type Unreached = "typed" | "pressed";

/**
 * Sends a form within the page. Where no answer comes, nobody knows whether the form arrived: the page says so and stays
 * with everything that was typed; what the server itself answers goes its way.
 */
export async function sendOrKeep<Answer>(send: () => Promise<Answer>, request: Request) {
  const form = await request.clone().formData();
  try {
    return await send();
  } catch (error) {
    // What `fetch` throws where nothing answers.
    if (error instanceof TypeError) {
      const isTyped = [...form].some(([name, value]) => !filled.includes(name) && value !== "");
      const offline: Unreached = isTyped ? "typed" : "pressed";
      return data({ offline }, { status: unreached });
    }
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
