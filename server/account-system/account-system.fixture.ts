import { randomBytes, randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import type { ConnectedAccountSystem } from "../config.ts";
import { Secret } from "../platform/crypto/keys.ts";

/**
 * An account system for tests. It verifies our events with only the published Standard Webhooks
 * library.
 */

export function createSecret(): string {
  return `whsec_${randomBytes(24).toString("base64")}`;
}

export function signAs(secret: string, body: string, at: Date, id = `msg_${randomUUID()}`) {
  return {
    "Content-Type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
}

export type ReceivedEvent = {
  id: string;
  at: number;
  body: string;
  event: { type: string; timestamp: string; data: Record<string, unknown> & { id: string } };
};

export type TestReceiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Starts a test account system.
 * @param options.now clock for verifying signatures, because many tests run at a fixed date
 */
export async function startReceiver(options: { now?: () => Temporal.Instant } = {}) {
  const secret = createSecret();
  const inboundSecret = createSecret();
  const received: ReceivedEvent[] = [];
  const receiver = {
    /** Responds to an event that has a valid signature. Tests may replace this function. */
    answer: (_event: ReceivedEvent, response: ServerResponse): void => {
      response.writeHead(204).end();
    },
    /** If set, handles every request instead of `answer`, without verification. */
    intercept: undefined as RequestListener | undefined,
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (receiver.intercept) return receiver.intercept(request, response);
    const body = await text(request);
    const header = (name: string) => String(request.headers[name] ?? "");
    const id = header("webhook-id");
    const at = Number(header("webhook-timestamp"));
    const now = options.now?.().epochMilliseconds ?? Date.now();
    const signature = new Webhook(secret).sign(id, new Date(at * 1000), body);
    const isFresh = Math.abs(now / 1000 - at) <= 300;
    if (!isFresh || !header("webhook-signature").split(" ").includes(signature)) {
      response.writeHead(401).end();
      return;
    }
    const event: ReceivedEvent = { id, at, body, event: JSON.parse(body) };
    received.push(event);
    receiver.answer(event, response);
  }

  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hooks/deletions`;

  return Object.assign(receiver, {
    url,
    received,
    secret,
    inboundSecret,
    /**
     * Finds the newest event by the last part of its type. Events due at the same moment arrive in
     * any order, so tests with several requests also pass the reference.
     */
    newest(type: string, reference?: string): ReceivedEvent {
      const found = received.findLast(
        ({ event }) =>
          event.type === `account.deletion.${type}` &&
          (reference === undefined || event.data.reference === reference),
      );
      if (!found) throw new Error(`No ${type} has arrived`);
      return found;
    },
    config(mode: "dry-run" | "live" = "live"): Extract<ConnectedAccountSystem, { url: string }> {
      return {
        mode,
        url,
        secrets: [new Secret(secret)],
        inboundSecrets: [new Secret(inboundSecret)],
        pollToken: undefined,
      };
    },
    sign(answer: unknown, at: Temporal.Instant, change: { id?: string; secret?: string } = {}) {
      const body = typeof answer === "string" ? answer : JSON.stringify(answer);
      const date = new Date(at.epochMilliseconds);
      const secret = change.secret ?? inboundSecret;
      const headers: Record<string, string> = signAs(secret, body, date, change.id);
      return { body, headers };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
