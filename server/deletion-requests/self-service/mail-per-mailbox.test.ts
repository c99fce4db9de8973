import { describe, expect, test } from "vitest";
import { mailboxMailsPerDay } from "../../periods.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";

serviceForEachTest(undefined, { settings: { MAX_UNCONFIRMED: "100000" } });

async function mailsTo(address?: string): Promise<number> {
  await service.round();
  const mails = service.sent.filter(({ kind }) => kind === "confirm");
  return mails.filter(({ to }) => address === undefined || to === address).length;
}

async function send(email: string, client: string): Promise<void> {
  const sent = await service.requests.submit(service.form({ email }), "", client);
  if (sent.kind !== "stored") throw new Error(sent.kind);
}

const attacker = "198.51.100.7";
const owner = "203.0.113.9";

/** Address variants of the same mailbox that a stranger could guess. */
const variants: Record<string, (count: number) => string[]> = {
  "jane.doe@gmail.com": (count) =>
    dotted("janedoe", count).filter((address) => !address.startsWith("jane.")),
  "tom+rides@uni.example": (count) =>
    Array.from({ length: count }, (_, note) => `tom+${note}@uni.example`),
  "sam@uni.example": (count) =>
    Array.from({ length: count }, (_, note) => `sam+${note}@uni.example`),
};

/** Lists variants of a Gmail address with dots in different positions. */
function dotted(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => {
    const dots = (number + 1).toString(2).padStart(name.length - 1, "0");
    const spelled = [...name].map((letter, at) => (dots[at - 1] === "1" ? `.${letter}` : letter));
    return `${spelled.join("")}@${number % 2 ? "gmail" : "googlemail"}.com`;
  });
}

describe("forms for variants of a mailbox's address", () => {
  test.each(Object.entries(variants))(
    "sends the day's first email to %s even after a stranger's forms for variants of the address",
    async (network, spell) => {
      for (const email of spell(12)) await send(email, attacker);
      await send(network, attacker);
      expect(await mailsTo(network)).toBe(1);
    },
  );

  test.each(Object.entries(variants))(
    "sends the owner of %s three emails a day even after a stranger's forms for variants of the address",
    async (network, spell) => {
      for (const email of spell(45)) await send(email, attacker);
      for (const day of [1, 2]) {
        for (let sent = 0; sent < 4; sent++) await send(network, owner);
        expect(await mailsTo(network)).toBe(3 * day);
        service.pass({ hours: 25 });
        for (const email of spell(45)) await send(email, attacker);
      }
    },
  );

  test("sends a mailbox at most 40 emails a day across all variants of its address", async () => {
    for (const email of dotted("anikarahman", 60)) {
      for (let again = 0; again < 2; again++) await send(email, attacker);
    }
    expect(await mailsTo()).toBe(mailboxMailsPerDay);
    service.pass({ hours: 25 });
    await send("ani.karahman@gmail.com", attacker);
    expect(await mailsTo()).toBe(mailboxMailsPerDay + 1);
  });

  test("allows another network twelve emails a day to a mailbox under attack", async () => {
    for (const email of dotted("anikarahman", 50)) await send(email, attacker);
    const before = await mailsTo();
    for (let host = 1; host <= 6; host++) {
      for (let again = 0; again < 4; again++)
        await send("a.nikarahman@gmail.com", `192.0.2.${host}`);
    }
    expect((await mailsTo()) - before).toBe(12);
  });
});
