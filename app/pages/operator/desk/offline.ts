/**
 * Sends a form within the page. Where the server cannot be reached, the page stays with everything that was typed and
 * says so; what the server itself answers goes its way.
 */
export async function sendOrKeep<Answer>(
  send: () => Promise<Answer>,
): Promise<Answer | { offline: true }> {
  try {
    return await send();
  } catch (error) {
    // What `fetch` throws where nothing answers.
    if (error instanceof TypeError) return { offline: true };
    throw error;
  }
}
