import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { filledForm } from "../harness/deletion-form.ts";
import { openForFilling } from "../harness/fill-store.ts";
import { startServerProcess } from "../harness/server-process.ts";

/** Where a client strikes, and for how long. */
export type Target = {
  port: number;
  seconds: number;
  dataDir: string;
  logDir: string;
};

/** One way in which a single client does its worst. */
export type Attack = {
  name: string;
  /** Seconds in the long form, and in the short one, which has one attack of each kind. */
  seconds: { short?: number; long: number };
  /** Pages that the other visitors ask. Those of the attack stay unasked until it begins. */
  pages?: string[];
  /** How often faster than the real one the server's clock runs. */
  clockSpeed?: number;
  settings?: Record<string, string>;
  /** Folder that becomes a file system of its own with this many megabytes. */
  smallDisk?: { for: "data" | "log"; mb: number };
  /** What lies in the data folder before the server starts. */
  prepare?: (dataDir: string) => Promise<void>;
  /** Holds something while the server starts and the attack lasts; ends what it gave back. */
  hold?: (dataDir: string) => () => void;
  /** Runs in a process of its own and ends by itself. */
  strike: (target: Target) => Promise<void>;
};

export type Form = "short" | "long";

/** The attacker's address, in a network of its own. */
const from = process.platform === "linux" ? "127.0.1.66" : "127.0.0.1";
/** The longest form that the site reads. */
const bodyLimit = 80 * 1024;

export const attacks: Attack[] = [
  {
    name: "forms of 80 KB made of empty pairs",
    seconds: { short: 4, long: 15 },
    strike: (target) => postBodies(target, [full("a&")]),
  },
  {
    name: "every other shape of a form up to the limit",
    seconds: { long: 20 },
    strike: (target) =>
      postBodies(target, [
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
    name: "forms whose length is wrong",
    seconds: { long: 15 },
    strike: (target) =>
      repeat(target, 40, () => {
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
        const way = ways[Math.floor(Math.random() * ways.length)] ?? [];
        return sendAndWait(target, [...post(target), ...way, "", body].join("\r\n"), 500);
      }),
  },
  {
    name: "pages that end every few seconds, under 300 visitors",
    seconds: { long: 15 },
    clockSpeed: 60,
    strike: (target) => {
      const paths = [
        "/",
        "/blog",
        "/faq",
        "/privacy-policy",
        "/terms-conditions",
        "/blog?category=All",
      ];
      let turn = 0;
      return repeat(target, 300, () =>
        sendAndWait(target, ask(target, paths[turn++ % paths.length] ?? "/"), 10_000),
      );
    },
  },
  {
    name: "20 connections with 1,500 requests each that never read",
    seconds: { short: 6, long: 20 },
    strike: (target) =>
      repeat(target, 20, () => sendAndWait(target, ask(target, "/").repeat(1_500), 60_000, false)),
  },
  {
    name: "300 readers that take a few bytes now and then",
    seconds: { long: 20 },
    strike: (target) => {
      // Who asks for 60 at once is hung up on; who asks for a few is answered, and reads for a minute.
      let turn = 0;
      return repeat(target, 300, () =>
        readSlowly(target, ask(target, "/", "identity").repeat(turn++ % 2 === 0 ? 60 : 4)),
      );
    },
  },
  {
    name: "300 writers that send a byte now and then",
    seconds: { short: 6, long: 20 },
    strike: async (target) => {
      let turn = 0;
      await repeat(target, 300, () => {
        const start = post(target).join("\r\n");
        const starts = [
          "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
          `${start}\r\nContent-Length: 80000\r\n\r\n`,
          `${start}\r\nTransfer-Encoding: chunked\r\n\r\n`,
        ];
        const piece = turn % 3 === 2 ? "1\r\na\r\n" : "a";
        return writeSlowly(target, starts[turn++ % 3] ?? "", piece);
      });
    },
  },
  {
    name: "made-up categories, pages and addresses",
    seconds: { long: 20 },
    strike: (target) => {
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
      return repeat(target, 64, () => {
        const path = paths[Math.floor(Math.random() * paths.length)]?.() ?? "/";
        return sendAndWait(target, ask(target, path), 10_000);
      });
    },
  },
  {
    name: "300 first visitors of one page at once, page after page",
    seconds: { long: 15 },
    pages: ["/terms-conditions"],
    strike: async (target) => {
      const paths = ["/", "/blog", "/faq", "/privacy-policy", "/blog?category=All"];
      const until = performance.now() + target.seconds * 1_000;
      const posts = [12, 34, 57, 8, 23, 90, 14, 67, 29, 52, 36, 74, 88, 19, 53];
      for (const path of [...posts.map((id) => `/blog/${id}`), ...paths]) {
        const leftMs = until - performance.now();
        if (leftMs < 0) break;
        const visit = () => sendAndWait(target, ask(target, path), leftMs);
        await Promise.race([Promise.all(Array.from({ length: 300 }, visit)), pause(leftMs)]);
      }
    },
  },
  {
    name: "unconfirmed requests with 20 KB of feedback in the store",
    // The upkeep of every minute is what meets them all.
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
    strike: (target) => repeat(target, 2, () => sendForm(target)),
  },
  {
    name: "40 forms in chunks of one byte that never end",
    seconds: { long: 20 },
    strike: (target) => {
      const head = [...post(target), "Transfer-Encoding: chunked", "", ""].join("\r\n");
      return repeat(target, 40, () =>
        sendAndWait(target, head + "1\r\na\r\n".repeat(79_000), 10_000),
      );
    },
  },
  {
    name: "pages asked with a body in chunks of one byte",
    seconds: { long: 20 },
    strike: (target) => {
      const heads = ["GET /faq", "PUT /", "POST /blog", "POST /hooks/account-system"];
      let turn = 0;
      return repeat(target, 16, () => {
        const head = `${heads[turn++ % heads.length]} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
        return sendToTheEnd(target, head + "1\r\na\r\n".repeat(79_000), 10_000);
      });
    },
  },
  {
    name: "forms of a stated length in pieces of one byte",
    seconds: { long: 20 },
    strike: (target) => {
      const head = [...post(target), "Content-Length: 80000", "", ""].join("\r\n");
      return repeat(target, 64, () => sendInPieces(target, head, 80_000));
    },
  },
  {
    name: "64 connections that wait to be told to go on",
    seconds: { long: 20 },
    strike: (target) => {
      const head = [...post(target), "Content-Length: 100000", "Expect: 100-continue", "", ""];
      return askAgainAndAgain(target, 64, head.join("\r\n"));
    },
  },
  {
    name: "400 connections on a page that is made for each visitor",
    seconds: { short: 6, long: 20 },
    strike: (target) => askAgainAndAgain(target, 400, ask(target, "/delete-my-account?x=1")),
  },
  {
    name: "400 visitors who go away as soon as they have asked or half sent a form",
    seconds: { long: 20 },
    strike: (target) => {
      const half = [...post(target), "Content-Length: 70000", "", "a".repeat(60_000)];
      const asked = [ask(target, "/delete-my-account?x=1"), half.join("\r\n")];
      let turn = 0;
      return repeat(target, 400, () =>
        sendAndWait(target, asked[turn++ % asked.length] ?? "", 5, false),
      );
    },
  },
  {
    name: "every connection that a /24 can have, held and renewed",
    seconds: { long: 20 },
    strike: (target) => {
      let turn = 0;
      return repeat(target, 3_000, () =>
        sendAndWait(target, "GET / HTTP/1.1\r\nX: ", 4_000, true, `127.0.66.${turn++ % 250}`),
      );
    },
  },
  {
    name: "questions with 15 KB of conditions, encodings and cookies",
    seconds: { long: 20 },
    strike: (target) => {
      const odd = [
        ["If-None-Match", '"a",'],
        ["Accept-Encoding", "br;q=0.1,"],
        ["Cookie", "a=b;"],
        ["Range", "bytes=0-0,"],
        ["X-Forwarded-For", "1.2.3.4,"],
      ].map(([name = "", piece = ""]) => `${name}: ${piece.repeat(14_000 / piece.length)}0`);
      const paths = ["/", "/delete-my-account", "/operator", "/favicon.ico", "/nowhere"];
      let turn = 0;
      return repeat(target, 64, () => {
        const head = ask(target, paths[Math.floor(turn / odd.length) % paths.length] ?? "/");
        const more = odd[turn++ % odd.length] ?? "";
        return sendAndWait(target, head.replace("\r\n\r\n", `\r\n${more}\r\n\r\n`), 10_000);
      });
    },
  },
  {
    name: "forms from the 65,536 networks of one /48",
    settings: { TRUST_PROXY: "1" },
    seconds: { long: 20 },
    strike: (target) =>
      repeat(target, 64, () => {
        const part = Math.floor(Math.random() * 65_536).toString(16);
        return sendForm(target, `X-Forwarded-For: 2001:db8:1:${part}::1`);
      }),
  },
  {
    name: "another process that holds the store's lock, while forms come",
    seconds: { short: 6, long: 20 },
    strike: async (target) => {
      const other = new DatabaseSync(join(target.dataDir, "requests.sqlite"));
      other.exec("begin exclusive");
      await repeat(target, 4, () => sendForm(target));
      other.exec("rollback");
      other.close();
    },
  },
  {
    name: "another process that reads the store and never ends",
    // The upkeep of every minute is what it disturbs.
    seconds: { long: 15 },
    clockSpeed: 30,
    hold: (dataDir) => {
      // The log has to hold something that this reader does not see.
      const writer = new DatabaseSync(join(dataDir, "requests.sqlite"));
      writer.exec("pragma journal_mode = wal; create table if not exists read_by_others (x)");
      const reader = new DatabaseSync(join(dataDir, "requests.sqlite"));
      reader.exec("begin; select count(*) from sqlite_master");
      writer.exec("insert into read_by_others values (1)");
      return () => {
        reader.close();
        writer.close();
      };
    },
    strike: (target) => repeat(target, 2, () => sendForm(target)),
  },
  {
    name: "a full disk under the data, while forms come",
    seconds: { long: 20 },
    smallDisk: { for: "data", mb: 16 },
    strike: async (target) => {
      fillDisk(target.dataDir);
      await repeat(target, 4, () => sendForm(target));
    },
  },
  {
    name: "a full disk under the log",
    seconds: { long: 20 },
    smallDisk: { for: "log", mb: 4 },
    strike: async (target) => {
      fillDisk(target.logDir);
      await repeat(target, 8, () => sendAndWait(target, ask(target, "/faq"), 10_000));
    },
  },
];

/** Repeats `act` on `width` connections at once until the time is over. */
async function repeat(target: Target, width: number, act: () => Promise<void>): Promise<void> {
  const until = performance.now() + target.seconds * 1_000;
  const one = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      await Promise.race([act(), pause(Math.max(0, until - performance.now()))]);
      // A server that refuses at once is not asked faster than a network would let it be.
      if (performance.now() - started < 2) await pause(2);
    }
  };
  await Promise.all(Array.from({ length: width }, one));
}

function open(target: Target, localAddress = from): Socket {
  const socket = connect({ port: target.port, host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  return socket;
}

/** Sends, and waits for an answer's first bytes, the end of the connection, or `patienceMs`. */
async function sendAndWait(
  target: Target,
  text: string,
  patienceMs: number,
  read = true,
  localAddress = from,
): Promise<void> {
  const socket = open(target, localAddress);
  const answered = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    if (read) socket.once("data", () => resolve());
    else socket.pause();
  });
  socket.write(text);
  await Promise.race([answered, pause(patienceMs)]);
  socket.destroy();
}

/** Goes on sending whatever is answered, until the connection is ended. */
async function sendToTheEnd(target: Target, text: string, patienceMs: number): Promise<void> {
  const socket = open(target);
  const closed = new Promise((resolve) => socket.resume().once("close", resolve));
  socket.write(text);
  await Promise.race([closed, pause(patienceMs)]);
  socket.destroy();
}

/** Each byte leaves by itself. */
async function sendInPieces(target: Target, head: string, pieces: number): Promise<void> {
  const socket = open(target).setNoDelay().resume();
  socket.write(head);
  for (let sent = 0; sent < pieces && !socket.destroyed; sent++) {
    socket.write("a");
    if (sent % 50 === 0) await pause(0);
  }
  socket.destroy();
}

/** Asks the same as soon as it was answered, on the same connection for as long as that is let be. */
function askAgainAndAgain(target: Target, width: number, text: string): Promise<void> {
  const until = performance.now() + target.seconds * 1_000;
  const one = async () => {
    while (performance.now() < until) {
      const socket = open(target);
      const over = new Promise((resolve) => socket.once("close", resolve));
      socket.on("data", () => socket.write(text));
      socket.write(text);
      await Promise.race([over, pause(until - performance.now())]);
      socket.destroy();
      await pause(2);
    }
  };
  return Promise.all(Array.from({ length: width }, one)).then(() => {});
}

async function readSlowly(target: Target, text: string): Promise<void> {
  const socket = open(target);
  socket.pause();
  socket.write(text);
  let closed = false;
  socket.once("close", () => {
    closed = true;
  });
  for (let turn = 0; turn < 300 && !closed; turn++) {
    await pause(200);
    socket.read(100);
  }
  socket.destroy();
}

async function writeSlowly(target: Target, start: string, piece: string): Promise<void> {
  const socket = open(target);
  socket.resume();
  socket.write(start);
  let closed = false;
  socket.once("close", () => {
    closed = true;
  });
  for (let turn = 0; turn < 300 && !closed; turn++) {
    await pause(200);
    socket.write(piece);
  }
  socket.destroy();
}

function ask(target: Target, path: string, encoding = "br"): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost:${target.port}\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
}

/** The head of a form's request, without its length. */
function post(
  target: Target,
  type = "application/x-www-form-urlencoded",
  path = "/deletion-requests",
) {
  return [
    `POST ${path} HTTP/1.1`,
    `Host: localhost:${target.port}`,
    `Origin: http://localhost:${target.port}`,
    `Content-Type: ${type}`,
  ];
}

/** As many repetitions as fit into a form of the largest size. */
function full(piece: string): string {
  return piece.repeat(Math.floor((bodyLimit - 16) / piece.length));
}

function form(change: Record<string, string>): string {
  return new URLSearchParams(filledForm(change)).toString();
}

async function postBodies(
  target: Target,
  bodies: (string | Buffer | { type: string; body: string })[],
): Promise<void> {
  let turn = 0;
  await repeat(target, 6, async () => {
    const one = bodies[turn % bodies.length] ?? "";
    const path = turn % 2 === 0 ? "/deletion-requests" : "/delete-my-account";
    turn++;
    const { type, body } =
      typeof one === "string" || Buffer.isBuffer(one)
        ? { type: undefined, body: Buffer.from(one) }
        : { type: one.type, body: Buffer.from(one.body) };
    const head = [...post(target, type, path), `Content-Length: ${body.length}`, "", ""];
    await sendAndWait(target, head.join("\r\n") + body.toString("latin1"), 10_000);
  });
}

/** A good form from somebody new. */
function sendForm(target: Target, ...more: string[]): Promise<void> {
  const body = form({ email: `${randomUUID()}@uni.example` });
  const head = [...post(target), ...more, `Content-Length: ${Buffer.byteLength(body)}`, "", body];
  return sendAndWait(target, head.join("\r\n"), 30_000);
}

/** Writes until nothing more fits. */
function fillDisk(folder: string): void {
  for (const size of [1024 * 1024, 64 * 1024, 4096, 512, 1]) {
    for (let index = 0; index < 64; index++) {
      try {
        writeFileSync(join(folder, `filler-${size}-${index}`), Buffer.alloc(size));
      } catch {
        break;
      }
    }
  }
}

async function untilMailIsWritten(dataDir: string): Promise<void> {
  const store = new DatabaseSync(join(dataDir, "requests.sqlite"), { readOnly: true });
  const waiting = store.prepare("select count(*) as n from outbox where state <> 'written'");
  for (let turn = 0; turn < 200 && waiting.get()?.n !== 0; turn++) await pause(50);
  store.close();
}
