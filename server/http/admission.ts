import { type Body, bodyLimits, type TakeSlowPlace } from "./body.ts";
import { createPlaces, type NetworkBudget, type Spent } from "./networks.ts";

/** Takes the price of a request from whoever asks, before anything is done for it. */

/** What a request costs before it is known what is made of it, in milliseconds of the one thread. */
const price = {
  /** Finding out what to answer: measured 0.3 to 1.6 ms, a look into the store included. */
  askMs: 1,
  /** A form: reading it, judging it, and storing it or saying why not. */
  formMs: 4,
  bytesPerMs: 4_096,
  /** Each piece of a body costs 1.5 µs, whatever is in it. */
  piecesPerMs: 600,
};

export type Asked = {
  method: string;
  /** Path and query. */
  url: string;
  header: (name: string) => string | undefined;
  remoteAddress: string;
};

export type Admission = {
  /** Whose budget pays: an address, or a session. */
  client: string;
  spent: Spent;
  /** What may be sent along; undefined where nothing may. */
  takes: { most: number; isForm: boolean } | undefined;
  takeSlowPlace: TakeSlowPlace;
  /** Pays for a body by what has come of it. */
  payFor: (came: { bytes: number; pieces: number }) => void;
  /** What is sent along, while it comes. */
  body?: Promise<Body>;
};

/** @param options.findBodyLimit how long a body may be that is sent to an address; undefined where none is taken */
export function createAdmission(
  services: {
    budget: Pick<NetworkBudget, "spendWork">;
    clientAddress: (socketAddress: string, forwardedFor: string | null) => string;
    operators?: { findSpender: (cookies: string | undefined) => string | undefined };
  },
  options: { findBodyLimit: (method: string, url: string) => Admission["takes"] },
) {
  const takePlace = createPlaces(bodyLimits.slowPerClient);
  const { budget, operators } = services;

  return ({ method, url, header, remoteAddress }: Asked): Admission => {
    const address = services.clientAddress(remoteAddress, header("x-forwarded-for") ?? null);
    // An operator's own budget is one that nobody at the same address uses up.
    const client = operators?.findSpender(header("cookie")) ?? address;
    const isRead = method === "GET" || method === "HEAD";
    return {
      client,
      spent: budget.spendWork(client, isRead ? price.askMs : price.formMs),
      takes: isRead ? undefined : options.findBodyLimit(method, url),
      takeSlowPlace: () => takePlace(address),
      payFor: ({ bytes, pieces }) => {
        budget.spendWork(client, bytes / price.bytesPerMs + pieces / price.piecesPerMs);
      },
    };
  };
}
