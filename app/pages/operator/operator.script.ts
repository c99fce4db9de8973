/**
 * Script of the operator pages. Every page works without it, except for passkeys. Attributes in the
 * HTML enable its features:
 * - `form[data-kept]` is submitted without leaving the page so that no input is lost if there is
 *   no response
 * - `form[data-draft]` saves its text to the attribute's URL a second after typing, and when the
 *   operator leaves the page
 * - `form[data-passkey]` first has the device perform the task in the attribute
 * - `form[data-invitation]` submits the token in the URL fragment, and meanwhile shows the
 *   attribute's text
 * - `form[data-checklist]` saves each answer immediately and announces that next to the answer; the
 *   attribute is the error message
 * - `[data-choose-all]` checks all boxes with the name in the attribute, except `[data-apart]`
 * - the element after an answered `[data-place]`, and an expanded section, scroll into view
 * - `[data-copy]` copies its text and announces it in the next `[role=status]`; `[data-print]`
 *   prints the page
 * - `#told`, the first invalid field or an expanded section is focused when the page loads, or else
 *   the content of a replaced page
 */

type PasskeyOptions =
  | { kind: "get"; options: PublicKeyCredentialRequestOptionsJSON }
  | { kind: "create"; options: PublicKeyCredentialCreationOptionsJSON };

/**
 * Task for the device, with the messages that the page shows. `asking` is shown while the device
 * works. The others explain a failure: the operator cancelled, the device already has a passkey
 * (`here`), the browser doesn't support passkeys (`none`), or the device's answer is unreadable.
 */
export type PasskeyTask = PasskeyOptions & {
  says: Record<"asking" | "cancelled" | "here" | "none" | "failed", string>;
};

/** Returns the page's URL without its fragment, because the fragment doesn't change the page. */
const here = () => location.pathname + location.search;

/** URL of the visible page. */
let shown = here();

async function post(form: HTMLFormElement, fields: FormData): Promise<Response> {
  const body = new URLSearchParams([...fields].map(([name, value]) => [name, `${value}`]));
  const answer = await fetch(form.getAttribute("action") ?? "", { method: "post", body });
  if (!answer.headers.get("content-type")?.startsWith("text/html")) throw new TypeError();
  return answer;
}

async function pageOf(answer: Response): Promise<Document> {
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Forms with unsaved drafts, each with the timer that will save it. */
const unsaved = new Map<HTMLFormElement, ReturnType<typeof setTimeout> | undefined>();

/** Delay between the last key press and saving a draft, in milliseconds. */
const draftDelayMs = 1000;

/**
 * Saves a draft, even while the page unloads. Ignores errors, because the field still contains the
 * text.
 */
function keepDraft(form: HTMLFormElement): void {
  clearTimeout(unsaved.get(form));
  unsaved.delete(form);
  const address = form.dataset.draft;
  if (address === undefined || !form.isConnected) return;
  const texts = [...form.querySelectorAll("textarea")].map(({ name, value }) => [name, value]);
  const act = (form.elements.namedItem("act") as HTMLInputElement | null)?.value ?? "";
  const body = new URLSearchParams([["act", act], ...texts]);
  void fetch(address, { method: "post", body, keepalive: true }).catch(() => {});
}

function keepDrafts(): void {
  for (const form of unsaved.keys()) keepDraft(form);
}

/**
 * Submits a form and shows the response. If there is none, warns that the form may or may not have
 * arrived.
 */
async function send(form: HTMLFormElement, by?: HTMLElement | null): Promise<void> {
  if (form.ariaBusy) return;
  form.ariaBusy = "true";
  // Submitted text is no longer a draft.
  const wasUnsaved = unsaved.has(form);
  clearTimeout(unsaved.get(form));
  unsaved.delete(form);
  keepDrafts();
  try {
    const answer = await post(form, new FormData(form, by));
    show(await pageOf(answer), answer.url);
  } catch (error) {
    // `fetch` throws a TypeError if there is no response.
    if (!(error instanceof TypeError)) throw error;
    if (wasUnsaved) unsaved.set(form, undefined);
    showUnreached(form);
  } finally {
    form.ariaBusy = null;
  }
}

function show(page: Document, url: string): void {
  document.title = page.title;
  document.body.replaceChildren(...page.body.childNodes);
  const { pathname, search } = new URL(url);
  if (pathname + search !== here()) history.pushState(null, "", url);
  shown = here();
  // A smooth scroll to the top would continue after `begin` has focused a field further down.
  scrollTo({ top: 0, behavior: "instant" });
  begin();
  if (document.activeElement === document.body) document.getElementById("content")?.focus();
  ignoreTaps();
}

/** Ignores the second tap of a double tap. It would hit the content that replaces the button. */
function ignoreTaps(): void {
  document.body.style.pointerEvents = "none";
  setTimeout(() => document.body.style.removeProperty("pointer-events"), 500);
}

function showUnreached(form: HTMLFormElement): void {
  const template = document.getElementById("unreached") as HTMLTemplateElement;
  const box = template.content.firstElementChild?.cloneNode(true) as HTMLElement;
  const isTyped = [...new FormData(form)].some(
    ([name, value]) => value !== "" && form.querySelector(`[name="${name}"]:not([type=hidden])`),
  );
  if (!isTyped) box.querySelector("[data-typed]")?.remove();
  document.getElementById("told")?.remove();
  document.querySelector(".desk-heading")?.after(box);
  box.focus();
}

/**
 * Checklists that are being saved. The value is the data store that the operator answered during
 * the save, or undefined if there is none. That data store is saved next.
 */
const keeping = new Map<HTMLFormElement, HTMLElement | undefined>();

/**
 * Saves a checklist's answers without leaving the page. If someone else changed the request in the
 * meantime, shows the response, whose message explains that.
 */
async function saveChecklist(form: HTMLFormElement, place: HTMLElement): Promise<void> {
  if (keeping.has(form)) {
    keeping.set(form, place);
    return;
  }
  keeping.set(form, undefined);
  const fields = new FormData(form);
  fields.set("save", place.dataset.place ?? "");
  try {
    const answer = await post(form, fields);
    const page = await pageOf(answer);
    const next = page.querySelector<HTMLFormElement>("form[data-checklist]");
    // If the operator submitted the form in the meantime, show only the response to that
    // submission.
    if (form.ariaBusy || !form.isConnected) return;
    if (!answer.ok || !next) return show(page, answer.url);
    for (const name of ["seen", "formKey"]) {
      const [current, newer] = [form, next].map((version) => version.elements.namedItem(name));
      (current as HTMLInputElement).value = (newer as HTMLInputElement).value;
    }
    const voice = place.querySelector<HTMLElement>("[role=status]");
    say(place, voice?.dataset.says);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    say(place, form.dataset.checklist);
  } finally {
    const newer = keeping.get(form);
    keeping.delete(form);
    if (newer) void saveChecklist(form, newer);
  }
}

/** Announces a text next to the control that was pressed. */
function say(around: Element | null, text = ""): void {
  const voice = around?.querySelector("[role=status]");
  if (voice) voice.textContent = text;
}

async function touch(form: HTMLFormElement): Promise<void> {
  const { says, ...task } = JSON.parse(form.dataset.passkey ?? "") as PasskeyTask;
  if (!window.PublicKeyCredential || !navigator.credentials) return say(form, says.none);
  say(form, says.asking);
  try {
    const made = await requestCredential(task);
    if (!made) return say(form, says.cancelled);
    (form.elements.namedItem("passkey") as HTMLInputElement).value = writeCredential(made);
  } catch (error) {
    const { name } = error as Error;
    if (name === "InvalidStateError") return say(form, says.here);
    return say(form, name === "NotAllowedError" ? says.cancelled : says.failed);
  }
  say(form);
  await send(form);
}

/**
 * Prompts for a passkey. Decodes the options here, because Safari before 18.4 and Chrome before 129
 * can't.
 */
function requestCredential(task: PasskeyOptions): Promise<Credential | null> {
  const challenge = toBytes(task.options.challenge);
  if (task.kind === "get") {
    const allowCredentials = task.options.allowCredentials?.map(toDescriptor);
    const publicKey = { ...task.options, challenge, allowCredentials };
    return navigator.credentials.get({ publicKey } as CredentialRequestOptions);
  }
  const { user } = task.options;
  const excludeCredentials = task.options.excludeCredentials?.map(toDescriptor);
  const publicKey = {
    ...task.options,
    challenge,
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials,
  };
  return navigator.credentials.create({ publicKey } as CredentialCreationOptions);
}

const toDescriptor = (descriptor: PublicKeyCredentialDescriptorJSON) => ({
  ...descriptor,
  id: toBytes(descriptor.id),
});

/**
 * Serializes a credential. Avoids `toJSON`, because credentials from password managers may lack it
 * or throw.
 * @throws TypeError if a value has no bytes
 */
function writeCredential(made: Credential): string {
  const { id, rawId, response } = made as PublicKeyCredential;
  const bytes = response as unknown as Record<string, ArrayBuffer | null | undefined>;
  const read = (name: string) => {
    const value = bytes[name];
    return value ? { [name]: toText(value) } : {};
  };
  const key = rawId ? toText(rawId) : id;
  return JSON.stringify({
    id: key,
    rawId: key,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      ...read("attestationObject"),
      ...read("authenticatorData"),
      ...read("signature"),
      ...read("userHandle"),
    },
  });
}

function toBytes(base64url: string): Uint8Array {
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}

function toText(bytes: ArrayBuffer | Uint8Array): string {
  const read = new Uint8Array(bytes);
  // Anything but a buffer would otherwise be sent as an empty value.
  if (read.length === 0) throw new TypeError("No bytes");
  const base64 = btoa(String.fromCharCode(...read));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function followInvitation(form: HTMLFormElement): void {
  const token = location.hash.slice(1);
  if (token === "") return;
  say(form, form.dataset.invitation);
  (form.elements.namedItem("invitation") as HTMLInputElement).value = token;
  void send(form);
}

/** Initializes the page after loading or replacing it. */
function begin(): void {
  const invitation = document.querySelector<HTMLFormElement>("form[data-invitation]");
  if (invitation) followInvitation(invitation);
  document
    .querySelector<HTMLElement>("#told, [aria-invalid=true], details[open] > summary")
    ?.focus();
}

document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const isKept = form.dataset.kept !== undefined;
  if (form.dataset.passkey === undefined && !isKept) return;
  event.preventDefault();
  if (form.dataset.passkey !== undefined) void touch(form);
  else void send(form, event.submitter);
});

document.addEventListener("change", ({ target }) => {
  const { form, checked, value, dataset } = target as HTMLInputElement;
  // If the store retains data, the next fields ask for the reason and the date, so don't scroll on.
  const place = value === "kept" ? null : (target as Element).closest("[data-place]");
  place?.nextElementSibling?.scrollIntoView({ block: "nearest" });
  if (place) ignoreTaps();
  const answered = (target as Element).closest<HTMLElement>("[data-place]");
  if (answered && form?.dataset.checklist !== undefined) void saveChecklist(form, answered);
  if (dataset.chooseAll === undefined) return;
  const boxes = document.querySelectorAll<HTMLInputElement>(
    `[type=checkbox][name="${dataset.chooseAll}"]:not([data-apart])`,
  );
  for (const box of boxes) box.checked = checked;
});

document.addEventListener("click", async ({ target }) => {
  const fold = (target as Element).closest("summary")?.parentElement;
  if (fold) requestAnimationFrame(() => fold.scrollIntoView({ block: "nearest" }));
  const button = (target as Element).closest<HTMLElement>("[data-copy], [data-print]");
  if (button?.dataset.print !== undefined) print();
  if (button?.dataset.copy === undefined) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  say(button.parentElement, button.dataset.says);
});

document.addEventListener("input", ({ target }) => {
  const { form } = target as HTMLTextAreaElement;
  if (!(target instanceof HTMLTextAreaElement) || form?.dataset.draft === undefined) return;
  clearTimeout(unsaved.get(form));
  unsaved.set(
    form,
    setTimeout(() => keepDraft(form), draftDelayMs),
  );
});

// A phone may kill a hidden page at any time, so save drafts when the page is hidden.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") keepDrafts();
});
addEventListener("pagehide", keepDrafts);

// The script replaced the page without loading it, so going back must reload.
addEventListener("popstate", () => {
  if (here() !== shown) location.reload();
});

// Pasting another invitation link into this tab changes only the fragment, so the browser doesn't
// reload the page.
addEventListener("hashchange", () => {
  if (document.querySelector("[data-invited]")) location.reload();
});

begin();
