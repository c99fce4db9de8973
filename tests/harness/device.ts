import type { CDPSession, Page } from "@playwright/test";
import { campus } from "./campus.ts";

const { codes, enrol: enrolment } = campus.operator.door;

/** Chromium's virtual authenticator stands for a phone's fingerprint. */
export type Device = {
  cdp: CDPSession;
  id: string;
  /** Another phone in place of this one, without its passkeys. */
  lose(): Promise<void>;
};

/** A device that always recognises its person. */
export async function giveDevice(page: Page): Promise<Device> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const add = () =>
    cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  const device: Device = { cdp, id: (await add()).authenticatorId, lose };
  async function lose() {
    await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: device.id });
    device.id = (await add()).authenticatorId;
  }
  return device;
}

/** Makes a passkey with an invitation's link. @returns the recovery codes */
export async function enrol(page: Page, link: string): Promise<string[]> {
  await page.goto(link);
  await page.waitForLoadState();
  await page.getByRole("button", { name: enrolment.button }).click();
  await page.getByRole("heading", { name: codes.title }).waitFor();
  return page.locator("code").allTextContents();
}
