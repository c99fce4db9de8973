import { type Body, bodyLimits, type TakeSlowPlace } from "./body.ts";
import { createPlaces, type NetworkBudget, type Spent } from "./networks.ts";

/**
 * Charges each request, except for cached pages, to the client's budget before the server works on
 * the request.
 */

/** Costs of requests in milliseconds of the server's single thread. */
const price = {
  /** Routing and a query, measured at 0.3 to 1.6 ms. */
  pageMs: 1,
  /** Parsing, validating and storing a form. */
  formMs: 4,
  bytesPerMs: 4_096,
  /** Each piece of a body costs 1.5 µs, regardless of its size. */
  piecesPerMs: 600,
};

export type RequestFacts = {
  method: string;
  /** Path and query string. */
  url: string;
  header: (name: string) => string | undefined;
  remoteAddress: string;
};

export type Admission = {
  /** IP address or session that is charged. */
  client: string;
  spent: Spent;
  /** Limits on the body; `undefined` if the request must not have one. */
  takes: { most: number; isForm: boolean } | undefined;
  takeSlowPlace: TakeSlowPlace;
  /** Charges for the part of the body that has arrived. */
  payFor: (received: { bytes: number; pieces: number }) => void;
  /** Body of the request, which may still be arriving. */
  body?: Promise<Body>;
};

/**
 * @param options.findBodyLimit returns the limits on a request's body, or `undefined` if the path
 * accepts no body
 */
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

  return ({ method, url, header, remoteAddress }: RequestFacts): Admission => {
    const address = services.clientAddress(remoteAddress, header("x-forwarded-for") ?? null);
    // A signed-in operator has a separate budget so that other users of the same IP address can't
    // use it up.
    const client = operators?.findSpender(header("cookie")) ?? address;
    const isRead = method === "GET" || method === "HEAD";
    return {
      client,
      spent: budget.spendWork(client, isRead ? price.pageMs : price.formMs),
      takes: isRead ? undefined : options.findBodyLimit(method, url),
      takeSlowPlace: () => takePlace(address),
      payFor: ({ bytes, pieces }) => {
        budget.spendWork(client, bytes / price.bytesPerMs + pieces / price.piecesPerMs);
      },
    };
  };
}
