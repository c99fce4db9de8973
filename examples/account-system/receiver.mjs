// An account system that receives events by POST. `node receiver.mjs` uses the settings in
// README.md.
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";
import { keep, workOff } from "./accounts.mjs";

const { PORT = "4000", EVENT_SECRET } = process.env;
const webhook = new Webhook(EVENT_SECRET);

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let event;
  try {
    // The signature covers the raw body and is valid for five minutes.
    event = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
  } catch {
    response.writeHead(401).end();
    return;
  }
  // Acknowledges the event before handling it, because the site doesn't wait.
  keep(event);
  response.writeHead(204).end();
  await workOff();
});

server.listen(PORT, "127.0.0.1", () => console.log(`Listening on ${PORT}`));

// Retries events that are left over from a crash or a failed answer.
workOff();
setInterval(workOff, 60_000);
