// An account system that can't receive calls. `node poller.mjs` fetches all waiting events and ends,
// for use with a timer. With --watch, it fetches events every minute.
import { handle, say } from "./accounts.mjs";

const { SITE_HOOK, POLL_TOKEN } = process.env;

async function fetchEvents() {
  const response = await fetch(SITE_HOOK, { headers: { Authorization: `Bearer ${POLL_TOKEN}` } });
  if (!response.ok) throw new Error(`The site answered ${response.status}`);
  const { items } = await response.json();
  for (const { id, event } of items) {
    await handle(event);
    // The site sends unacknowledged events again after ten minutes.
    await say("account.deletion.received", { id: event.data.id, item: id });
  }
  return items.length;
}

do {
  try {
    while ((await fetchEvents()) > 0);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
  if (process.argv.includes("--watch")) await new Promise((resolve) => setTimeout(resolve, 60_000));
} while (process.argv.includes("--watch"));
