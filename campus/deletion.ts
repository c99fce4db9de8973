import type { DataKind } from "./schema.ts";

/**
 * What happens to each kind of data when an account is deleted. The deletion page, the privacy policy and the
 * mails all read this one list, so they cannot disagree.
 */
export const dataKinds: readonly DataKind[] = [
  {
    kind: "Identity",
    examples: "name, student ID, profile photo, government ID",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
  },
  {
    kind: "Contact",
    examples: "email address, phone number",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
  },
  {
    kind: "Education",
    examples: "university or college, campus",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
  },
  {
    kind: "Credentials",
    examples: "password, security questions",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
  },
  {
    kind: "Ride details",
    examples:
      "pick-up and drop-off, routes, times, fares and payments, bids and offers, cancellations, no-shows, ratings",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
  },
  {
    kind: "Preferences",
    examples: "saved places, notification choices",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
  },
  {
    kind: "Location, device and usage data",
    examples: "location (with permission), device information, usage data and logs",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
  },
  {
    kind: "Driver papers",
    examples: "driver's licence, vehicle registration, insurance",
    accounts: ["Rider"],
    onDeletion: "deleted",
  },
  {
    kind: "Support messages",
    examples: "what you wrote to our mailbox and what we answered",
    accounts: ["User", "Rider"],
    onDeletion: "kept",
    when: "24 months after the last message",
    why: "so that a report or a dispute about a ride can still be settled",
  },
  {
    kind: "Backup copies",
    examples: "copies of our database, made in case the original is lost",
    accounts: ["User", "Rider"],
    onDeletion: "kept",
    when: "30 days at most",
    why: "because copies are overwritten in turn; whoever was deleted is deleted again if one has to be used",
  },
  {
    kind: "Your deletion request",
    examples: "the address and the feedback you typed into this form",
    accounts: ["User", "Rider"],
    onDeletion: "deleted",
    when: "when your receipt has been delivered, or 30 days after the end of the request",
  },
  {
    kind: "Proof that we did it",
    examples:
      "reference, dates, outcome, reason code, a scrambled form (keyed hash) of your address",
    accounts: ["User", "Rider"],
    onDeletion: "kept",
    when: "24 months",
    why: "so that an account restored from a backup by mistake is erased again, and so that we can show what we did",
  },
];
