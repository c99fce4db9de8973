import { hash, randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import nodemailer from "nodemailer";
import type SMTPPool from "nodemailer/lib/smtp-pool";

type Stored = { reference: string; email: string };

/** Tables with a row for each form, in the order in which to insert the rows. */
export const tables = ["requests", "submissions", "request_events", "tokens", "outbox"];

let forms = 0;

/** Returns what differs between two forms: column values by name, and the names of its counters. */
export function newValues(fields: URLSearchParams, client: string) {
  const email = fields.get("email") ?? "";
  const slot = forms++ % 64;
  const networks = [client, `${client}/24`, `${email} ${client}`, `${email} ${client}/24`];
  const row: Stored & Record<string, string> = {
    email,
    email_match: email.toLowerCase(),
    reference: randomBytes(6).toString("base64url"),
    reason: fields.get("reason") ?? "",
    feedback: fields.get("feedback") ?? "",
    form_key_hash: hash("sha256", fields.get("formKey") ?? "", "base64url"),
    hash: randomBytes(32).toString("base64url"),
    message_key: randomUUID(),
  };
  return {
    row,
    tally: `received#${slot}`,
    networks: [
      ...networks.map((network) => hash("sha256", network, "base64url")),
      `2026-11-21T06.${slot}`,
    ],
  };
}

/**
 * Serves an endpoint that stores each form with `store`. After each response, the endpoint sends an
 * email of the same size as the site's. It sends these emails over pooled connections.
 */
export function servePlainForms(
  smtpUrl: string,
  store: (fields: URLSearchParams, client: string) => Promise<Stored> | Stored,
): void {
  const mailer = nodemailer.createTransport({ url: smtpUrl, pool: true } as SMTPPool.Options);
  const server = createServer(async (request, response) => {
    const client = String(request.headers["x-forwarded-for"]);
    const { reference, email } = await store(new URLSearchParams(await text(request)), client);
    response.setHeader("Content-Type", "application/json").end(JSON.stringify({ reference }));
    await mailer.sendMail({
      from: "rides@rides.example",
      to: email,
      subject: `Confirm ${reference}`,
      text: "Confirm with this link. ".repeat(60),
      html: `<p>${"Confirm with this link. ".repeat(225)}</p>`,
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
  process.on("disconnect", () => process.exit());
}
