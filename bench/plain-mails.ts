import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import nodemailer from "nodemailer";
import type SMTPPool from "nodemailer/lib/smtp-pool";

type Stored = { reference: string; email: string };

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
