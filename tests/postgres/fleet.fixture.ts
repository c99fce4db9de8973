import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import PostalMime from "postal-mime";
import { askPostgres } from "../../server/database/database.fixture.ts";
import { type MailServer, startMailServer } from "../faults/mail-server.fixture.ts";
import { filledForm, referencePattern } from "../harness/deletion-form.ts";
import { type FaultyNetwork, startFaultyNetwork } from "../harness/faulty-network.ts";
import { createTestDatabase, type PostgresServer, startPostgres } from "../harness/postgres.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";

/**
 * Several servers on one PostgreSQL, each reached by a way of its own that can be cut, with a mail server and people who
 * send forms and press buttons wherever they get to.
 */

/** The links in mails lead here, whatever port an instance has. */
const origin = "http://rides.localhost";

type Mail = { messageId: string; to: string; text: string };

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

export async function startFleet(size: number) {
  const postgres: PostgresServer = await startPostgres();
  const database = await createTestDatabase(postgres.url);
  const { port } = new URL(postgres.url);
  const network: FaultyNetwork = await startFaultyNetwork(Number(port));
  const throughNetwork = new URL(database.url);
  throughNetwork.port = String(network.port);

  const mails: Mail[] = [];
  const mailServer: MailServer = await startMailServer({
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        if (stream.sizeExceeded || !mail.messageId) return done(new Error("broken off"));
        const to = session.envelope.rcptTo[0]?.address ?? "";
        mails.push({ messageId: mail.messageId, to, text: mail.text ?? "" });
        done();
      });
    },
  });

  const folders: string[] = [];
  const settings = {
    DATABASE_URL: throughNetwork.href,
    SMTP_URL: mailServer.url,
    SMTP_TLS: "optional",
    SECRET_KEYS: `1:${randomBytes(32).toString("base64url")}`,
    PUBLIC_URL: origin,
    SUBMISSION_LIMIT: "1000000",
    LOG_LEVEL: "error",
  };
  async function start(): Promise<ServerProcess> {
    const folder = await mkdtemp(join(tmpdir(), "instance-"));
    folders.push(folder);
    return startServerProcess(settings, folder);
  }
  // One after the other: the first makes the tables.
  const instances: ServerProcess[] = [];
  while (instances.length < size) instances.push(await start());

  /** Past the network, which may be cut. */
  const ask = (sql: string) => askPostgres(database.url, sql);

  function post(instance: ServerProcess, path: string, fields: Record<string, string>) {
    return fetch(`${instance.url}${path}`, {
      method: "POST",
      headers: { Origin: origin },
      body: new URLSearchParams(fields),
      redirect: "manual",
      signal: AbortSignal.timeout(30_000),
    });
  }

  /** What people were told, by address. */
  const acknowledged = new Map<string, string>();
  let sent = 0;

  /** Somebody sends one form, and the same again somewhere else until it is said to be stored. */
  async function sendForm(isOver: () => boolean = () => false): Promise<void> {
    const email = `s${++sent}@uni.example`;
    const form = filledForm({ email });
    for (;;) {
      const instance = instances[Math.floor(Math.random() * instances.length)] as ServerProcess;
      try {
        const answer = await post(instance, "/deletion-requests", form);
        const reference = referencePattern.exec(await answer.text())?.[0];
        if (answer.status === 200 && reference) {
          acknowledged.set(email, reference);
          return;
        }
      } catch {
        // Killed, or silent: was it stored? Nobody knows, and so it is sent once more.
      }
      if (isOver()) return;
      await setTimeout(20);
    }
  }

  return {
    instances,
    postgres,
    /** Past the network. */
    databaseUrl: database.url,
    network,
    mails,
    acknowledged,
    ask,
    sendForm,
    /** How many forms were sent, stored or not. */
    countSent: () => sent,

    /** People send one form after the other until they are told to stop; what is under way is still stored. */
    load(people: number) {
      let over = false;
      const all = Promise.all(
        Array.from({ length: people }, async () => {
          while (!over) await sendForm();
        }),
      );
      return {
        async stop() {
          over = true;
          await all;
        },
      };
    },

    /** Follows the link of a mail at one instance and presses its button at several, at the same moment. */
    async confirmAtAll(email: string): Promise<number[]> {
      const link = mails
        .find(({ to, text }) => to === email && /\?link=/.test(text))
        ?.text.match(/\/delete-my-account\?link=[\w-]+/)?.[0];
      if (!link) throw new Error(`No mail with a link came to ${email}`);
      const opened = await fetch(`${instances[0]?.url}${link}`, { redirect: "manual" });
      const to = new URL(opened.headers.get("location") ?? "", origin);
      const visit = to.searchParams.get("visit") ?? "";
      const answers = await Promise.all(
        instances.map((instance) => post(instance, to.pathname, { act: "confirm", visit })),
      );
      return answers.map(({ status }) => status);
    },

    async replace(index: number): Promise<void> {
      instances[index] = await start();
    },

    /** As if two minutes had passed: what a dead one had begun is due again. */
    endLeases: () =>
      ask(
        `update outbox set lease_until = '2000-01-01T00:00:00.000Z' where state = 'sending'`,
      ).then(() => ask("update leases set until = '2000-01-01T00:00:00.000Z'")),

    /** Until everything that is owed has left. */
    async settle(): Promise<void> {
      for (const giveUpAt = performance.now() + 300_000; performance.now() < giveUpAt; ) {
        const [left] = await ask(
          "select count(*) as n from outbox where state not in ('delivered', 'held-back')",
        );
        if (Number(left?.n) === 0) return;
        await setTimeout(200);
      }
      const left = await ask(
        "select state, kind, failures, last_problem, count(*) from outbox where state <> 'delivered' group by 1, 2, 3, 4",
      );
      throw new Error(`Mails are still owed: ${JSON.stringify(left)}`);
    },

    async close(): Promise<void> {
      for (const instance of instances) instance.signal("SIGCONT");
      await Promise.all(instances.map((instance) => instance.stop("SIGKILL")));
      await network.end();
      await mailServer.close();
      await postgres.close();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What must hold of a fleet whatever happened to it. Returns what does not, and how much was looked at. */
export async function findBrokenPromises(fleet: Fleet) {
  const rows = await fleet.ask(`
    select email, reference,
      (select count(*) from requests r where r.id = s.request_id) as requests,
      (select count(*) from request_events e where e.request_id = s.request_id and e.type = 'receive') as received,
      (select count(*) from tokens t where t.submission_id = s.id) as tokens,
      (select count(*) from outbox o where o.reference = s.reference and o.kind = 'confirm') as mails
    from submissions s`);
  const broken: string[] = [];
  const stored = new Map<string, string[]>();
  for (const row of rows) {
    const email = String(row.email);
    stored.set(email, [...(stored.get(email) ?? []), String(row.reference)]);
    for (const part of ["requests", "tokens", "mails"]) {
      if (Number(row[part]) !== 1) broken.push(`${email} has ${row[part]} ${part}`);
    }
  }
  for (const [email, reference] of fleet.acknowledged) {
    const found = stored.get(email) ?? [];
    if (found.length !== 1) broken.push(`${email} is there ${found.length} times`);
    else if (found[0] !== reference) broken.push(`${email} was told another reference`);
  }
  const acts = await fleet.ask(`
    select request_id, type, count(*) as n from request_events
    where type in ('confirm', 'complete', 'refuse', 'cancel') group by 1, 2 having count(*) > 1`);
  for (const act of acts) broken.push(`request ${act.request_id}: ${act.type} ${act.n} times`);
  const owed = await fleet.ask(
    "select message_key, kind, reference from outbox where state = 'delivered'",
  );
  const delivered = Map.groupBy(fleet.mails, ({ messageId }) => messageId.replace(/^<|@.*$/g, ""));
  for (const { message_key: key, kind } of owed) {
    if (!delivered.has(String(key))) broken.push(`a mail (${kind}) was never delivered`);
  }
  const all = await fleet.ask("select message_key from outbox");
  const keys = new Set(all.map((row) => String(row.message_key)));
  const names = new Map<string, string>();
  for (const [key, same] of delivered) {
    const texts = new Set(same.map(toOneText));
    if (!keys.has(key)) broken.push(`nobody owed the mail ${key}`);
    if (texts.size > 1) broken.push(`the Message-ID ${key} is of ${texts.size} mails`);
    for (const text of texts) {
      const other = names.get(text);
      if (other) broken.push(`one mail has the Message-IDs ${other} and ${key}`);
      names.set(text, key);
    }
  }
  return { broken, forms: stored.size, mails: fleet.mails.length, owed: owed.length };
}

/** As it was read: a link lives from when its mail left, so the minute until which it works is each copy's own. */
function toOneText({ to, text }: Mail): string {
  return [to, ...text.split("\n").filter((line) => !/\d:\d\d/.test(line))].join("\n");
}
