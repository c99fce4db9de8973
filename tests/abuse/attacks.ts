import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { filledForm } from "../harness/deletion-form.ts";
import { openForFilling } from "../harness/fill-store.ts";
import { startServerProcess } from "../harness/server-process.ts";
import type { Client } from "./client.ts";

export type Attack = {
  name: string;
  /**
   * Duration in seconds. The short run has one attack of each kind and skips attacks without
   * `short`.
   */
  seconds: { short?: number; long: number };
  /** Speed of the server's clock, as a multiple of real time. */
  clockSpeed?: number;
  settings?: Record<string, string>;
  /**
   * Limit on the median wait of other visitors, as a multiple of the bare server's median response
   * time during the attack.
   */
  mostTimesBare?: number;
  /** Fills the data folder before the server starts. */
  prepare?: (dataDir: string) => Promise<void>;
  /** Runs the attack in a separate process until time is up. */
  strike: (client: Client) => Promise<void>;
};

export type Form = "short" | "long";

const bodyLimit = 80 * 1024;

/** Cheap requests that the server refuses, keyed by the kind of request. */
const refused: Record<string, (turn: number) => (client: Client) => string> = {
  "missing files":
    (turn) =>
    ({ ask }) =>
      ask(`/art/x${turn}.svg`),
  "unknown addresses":
    (turn) =>
    ({ ask }) =>
      ask(`/x${turn}`),
  "made-up session cookies":
    (turn) =>
    ({ ask }) =>
      ask("/operator/sign-in").replace(
        "\r\n\r\n",
        `\r\nCookie: __Host-operator=${String(turn).padStart(43, "A")}\r\n\r\n`,
      ),
  "forms that are invalid or beyond the limit":
    (turn) =>
    ({ post }) => {
      const bad = form({ email: "nobody" });
      const good = form({ email: `${randomUUID()}@uni.example` });
      const [path, body, type] = inTurn(
        [
          ["/deletion-requests", bad],
          ["/delete-my-account", bad],
          ["/deletion-requests", good],
          ["/delete-my-account", good],
          ["/deletion-requests", bad, "text/plain"],
        ] as const,
        turn,
      );
      const head = [`Content-Length: ${Buffer.byteLength(body)}`];
      return post(head, body, { path, ...(type && { type }) });
    },
};

export const attacks: Attack[] = [
  {
    name: "forms of 80 KB with nothing but empty fields",
    seconds: { short: 4, long: 15 },
    strike: (client) => postBodies(client, [full("a&")]),
  },
  {
    name: "every other kind of form with the maximum size",
    seconds: { long: 20 },
    strike: (client) =>
      postBodies(client, [
        full("a=1&"),
        full("email=a%40b.cd&"),
        full("confirmation=yes&"),
        full("feedback=%F0%9F%98%80&"),
        `feedback=${full("%F0%9F%98%80")}`,
        `feedback=${full("%25")}`,
        `feedback=${full("e%CC%81")}`,
        `feedback=${full("+")}`,
        `feedback=${full("%0D%0A")}`,
        `feedback=${full("%00")}`,
        `feedback=${full("%zz")}`,
        `email=${full("a.")}`,
        `email=${full("a@")}`,
        `email=a@${full("b.")}`,
        `email="${full("\\")}`,
        `email=${full("(")}`,
        `formKey=${full("A")}`,
        full("="),
        full("&"),
        full("%"),
        `${full("__proto__=1&")}`,
        form({ feedback: "a ".repeat(10_000) }),
        form({ feedback: "\u{1F469}\u200D".repeat(1_900) }),
        Buffer.alloc(bodyLimit, 0xff),
        { type: "multipart/form-data; boundary=x", body: full("--x\r\n\r\n\r\n") },
        {
          type: "multipart/form-data; boundary=x",
          body: full('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'),
        },
        { type: "application/json", body: full("[") },
        { type: "text/plain", body: full("a=1&") },
      ]),
  },
  {
    name: "forms with a wrong length",
    seconds: { long: 15 },
    strike: ({ repeat, send, post }) => {
      const body = `feedback=${"a".repeat(20_000)}`;
      const ways = [
        [`Content-Length: ${body.length * 100}`],
        ["Content-Length: 10"],
        ["Content-Length: -1"],
        ["Content-Length: 5", "Content-Length: 20000"],
        ["Content-Length: 20000", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: chunked, chunked"],
        [`Content-Length: ${10 ** 12}`],
        [],
      ];
      return repeat(40, () => send(post(anyOf(ways), body), { patienceMs: 500 }));
    },
  },
  {
    name: "20 connections with 1,500 requests each that never read",
    seconds: { short: 6, long: 20 },
    strike: ({ repeat, send, ask }) =>
      repeat(20, () => send(ask("/").repeat(1_500), { patienceMs: 60_000, until: "never read" })),
  },
  {
    name: "300 readers that read a few bytes now and then",
    seconds: { long: 20 },
    strike: ({ repeat, ask, slowly }) => {
      const request = ask("/", "identity");
      // The server drops a client that pipelines 60 requests, but it answers a client that
      // pipelines four. That client takes a minute to read the responses.
      const chunks = [request.repeat(60), request.repeat(4)];
      return repeat(300, (turn) =>
        slowly(
          (socket) => socket.pause().write(inTurn(chunks, turn)),
          (socket) => socket.read(100),
        ),
      );
    },
  },
  {
    name: "300 writers that send a byte now and then",
    seconds: { short: 6, long: 20 },
    strike: ({ repeat, post, slowly }) => {
      const ways = [
        ["GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "a"],
        [post(["Content-Length: 80000"]), "a"],
        [post(["Transfer-Encoding: chunked"]), "1\r\na\r\n"],
      ] as const;
      return repeat(300, (turn) => {
        const [start, piece] = inTurn(ways, turn);
        return slowly(
          (socket) => socket.resume().write(start),
          (socket) => socket.write(piece),
        );
      });
    },
  },
  {
    name: "made-up categories, pages and addresses",
    seconds: { long: 20 },
    strike: ({ repeat, send, ask }) => {
      const paths = [
        () => `/blog?category=${randomUUID()}`,
        () => `/blog?category=All&x=${randomUUID()}`,
        () => `/blog?page=${Math.floor(Math.random() * 1e9)}`,
        () => `/blog/${Math.floor(Math.random() * 1e9)}`,
        () => `/${randomUUID()}`,
        () => `/?${randomUUID()}`,
        () => `/faq?visit=${randomUUID()}`,
        () => `/faq.data?${randomUUID()}`,
        () => `/${"a/".repeat(500)}${randomUUID()}`,
        () => `/a${"/".repeat(15_000)}`,
      ];
      return repeat(64, () => send(ask(anyOf(paths)())));
    },
  },
  ...(["short", "long"] as const).flatMap((form): Attack[] => {
    const kinds = Object.entries(refused);
    const all = [
      "everything that is refused",
      (turn: number) => inTurn(kinds, turn)[1](turn),
    ] as const;
    return (form === "short" ? [all] : kinds).map(([name, write]) => ({
      name,
      seconds: { long: 15, ...(form === "short" && { short: 6 }) },
      mostTimesBare: 6,
      strike: (client) =>
        client.repeat(48, (turn) =>
          client.repeatRequests((again) => write(turn + again * 48)(client)),
        ),
    }));
  }),
  {
    name: "unconfirmed requests with 20 KB of feedback in the store",
    // The jobs process every stored form once a minute.
    seconds: { long: 20 },
    clockSpeed: 30,
    prepare: async (dataDir) => {
      const server = await startServerProcess({}, dataDir);
      await fetch(`${server.url}/deletion-requests`, {
        method: "POST",
        body: new URLSearchParams(filledForm({ feedback: "\u{1F6B2}".repeat(5_000) })),
      });
      await untilMailIsWritten(dataDir);
      await server.stop();
      const store = openForFilling(dataDir);
      store.multiply({ of: 1, count: 60_000 });
      store.close();
    },
    strike: (client) => client.repeat(2, () => sendForm(client)),
  },
  {
    name: "forms in chunks of one byte",
    seconds: { short: 5, long: 20 },
    strike: ({ repeat, send, post }) => {
      const crumbs = post(["Transfer-Encoding: chunked"], "1\r\na\r\n".repeat(10_900));
      return repeat(64, () => send(crumbs));
    },
  },
  {
    name: "forms with a Content-Length in pieces of one byte",
    seconds: { long: 20 },
    strike: ({ repeat, post, sendInPieces }) =>
      repeat(64, () => sendInPieces(post(["Content-Length: 80000"]), 80_000)),
  },
  {
    name: "400 connections to a page that is rendered for each visitor",
    seconds: { short: 6, long: 20 },
    strike: ({ repeat, ask, repeatRequests }) =>
      repeat(400, () => repeatRequests(() => ask("/delete-my-account?visit=x"))),
  },
  {
    name: "400 visitors who leave right after a request or half a form",
    seconds: { long: 20 },
    strike: ({ repeat, send, ask, post }) => {
      const half = post(["Content-Length: 70000"], "a".repeat(60_000));
      const chunks = [ask("/delete-my-account?visit=x"), half];
      return repeat(400, (turn) =>
        send(inTurn(chunks, turn), { patienceMs: 5, until: "never read" }),
      );
    },
  },
  {
    name: "every connection that a /24 may open, held and renewed",
    seconds: { long: 20 },
    strike: ({ repeat, send }) =>
      repeat(3_000, (turn) =>
        send("GET / HTTP/1.1\r\nX: ", { patienceMs: 4_000, from: `127.0.66.${turn % 250}` }),
      ),
  },
  {
    name: "requests with 15 KB of conditions, encodings and cookies",
    seconds: { long: 20 },
    strike: ({ repeat, send, ask }) => {
      const odd = [
        ["If-None-Match", '"a",'],
        ["Accept-Encoding", "br;q=0.1,"],
        ["Cookie", "a=b;"],
        ["Range", "bytes=0-0,"],
        ["X-Forwarded-For", "1.2.3.4,"],
      ].map(([name = "", piece = ""]) => `${name}: ${piece.repeat(14_000 / piece.length)}0`);
      const paths = ["/", "/delete-my-account", "/operator", "/favicon.ico", "/nowhere"];
      return repeat(64, (turn) => {
        const head = ask(inTurn(paths, Math.floor(turn / odd.length)));
        return send(head.replace("\r\n\r\n", `\r\n${inTurn(odd, turn)}\r\n\r\n`));
      });
    },
  },
  {
    name: "forms from the 65,536 networks of one /48",
    settings: { TRUST_PROXY: "1" },
    seconds: { long: 20 },
    strike: (client) =>
      client.repeat(64, () => {
        const part = Math.floor(Math.random() * 65_536).toString(16);
        return sendForm(client, `X-Forwarded-For: 2001:db8:1:${part}::1`);
      }),
  },
  {
    name: "another process that holds the store's lock while forms arrive",
    seconds: { short: 6, long: 20 },
    strike: async (client) => {
      const other = new DatabaseSync(join(client.dataDir, "requests.sqlite"));
      other.exec("begin exclusive");
      await client.repeat(4, () => sendForm(client));
      other.exec("rollback");
      other.close();
    },
  },
];

/** Rotates through the items. */
const inTurn = <One>(all: readonly One[], turn: number) => all[turn % all.length] as One;
const anyOf = <One>(all: readonly One[]) => inTurn(all, Math.floor(Math.random() * all.length));

/** Repeats `piece` until the body reaches the maximum size. */
function full(piece: string): string {
  return piece.repeat(Math.floor((bodyLimit - 16) / piece.length));
}

function form(change: Record<string, string>): string {
  return new URLSearchParams(filledForm(change)).toString();
}

function postBodies(
  { repeat, send, post }: Client,
  bodies: (string | Buffer | { type: string; body: string })[],
): Promise<void> {
  return repeat(6, (turn) => {
    const content = inTurn(bodies, turn);
    const path = inTurn(["/deletion-requests", "/delete-my-account"], turn);
    const { type, body } =
      typeof content === "string" || Buffer.isBuffer(content) ? { body: content } : content;
    const bytes = Buffer.from(body as string);
    const text = bytes.toString("latin1");
    return send(post([`Content-Length: ${bytes.length}`], text, { type, path }));
  });
}

function sendForm({ send, post }: Client, ...more: string[]): Promise<void> {
  const body = form({ email: `${randomUUID()}@uni.example` });
  const head = [...more, `Content-Length: ${Buffer.byteLength(body)}`];
  return send(post(head, body), { patienceMs: 30_000 });
}

async function untilMailIsWritten(dataDir: string): Promise<void> {
  using store = new DatabaseSync(join(dataDir, "requests.sqlite"), { readOnly: true });
  const waiting = store.prepare("select count(*) as n from outbox where state <> 'written'");
  for (let turn = 0; turn < 200 && waiting.get()?.n !== 0; turn++) await pause(50);
}
