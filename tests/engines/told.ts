/** One thing that an engine tells assistive technology about a page. */
export type Told = {
  role: string;
  name: string;
  /** How urgently a change of it is read out, where the engine can be asked. */
  live?: string;
};

/** The roles that the tests ask about, under the names that the engines have for them. */
const roles: Record<string, string> = {
  heading: "heading",
  link: "link",
  button: "button",
  pushbutton: "button",
  "toggle button": "button",
  image: "image",
  img: "image",
  graphic: "image",
  list: "list",
  listitem: "listitem",
  textbox: "textbox",
  entry: "textbox",
  checkbox: "checkbox",
  checkbutton: "checkbox",
  // A list to choose from is a button in WebKit.
  combobox: "button",
  comboboxmenulist: "button",
  alert: "alert",
  status: "status",
};

/** What is told in the roles that the tests ask about; spaces in names are not compared. */
export function countTold(told: Told[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { role, name } of told) {
    const known = roles[role.toLowerCase()];
    if (!known) continue;
    // What a list or its item is called differs between engines: it is what is in it, or nothing.
    const own = known.startsWith("list") || known === "alert" || known === "status" ? "" : name;
    // Firefox and WebKit tell the numbers that a style writes before links to sections.
    const key = `${known} ${own.replace(/\s+|^\d+(?=\D)/g, "")}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** What a page means to tell in these roles, as its elements say it. Runs in the page. */
export function meant(): Told[] {
  const kinds: [selector: string, role: string][] = [
    ["h1, h2, h3, h4", "heading"],
    ["a[href]", "link"],
    ["button, select", "button"],
    ["img:not([alt=''])", "image"],
    ["ul, ol", "list"],
    [":is(ul, ol) > li", "listitem"],
    ["textarea, input[type=email]", "textbox"],
    ["input[type=checkbox]", "checkbox"],
    ["[role=alert]", "alert"],
    ["[role=status]", "status"],
  ];
  const text = (element: Element): string =>
    [...element.childNodes]
      .map((node) => {
        if (!(node instanceof Element)) return node.textContent ?? "";
        if (node.getAttribute("aria-hidden") === "true" || !node.checkVisibility()) return "";
        return node instanceof HTMLImageElement ? node.alt : text(node);
      })
      .join("");
  return kinds.flatMap(([selector, role]) =>
    [...document.querySelectorAll<HTMLElement>(selector)]
      .filter((element) => {
        if (element.closest("[aria-hidden=true]")) return false;
        return element.checkVisibility({ visibilityProperty: true });
      })
      .map((element) => {
        const [label] = (element as HTMLInputElement).labels ?? [];
        const alternative = element instanceof HTMLImageElement ? element.alt : undefined;
        const name = element.ariaLabel ?? alternative ?? text(label ?? element);
        return { role, name };
      }),
  );
}
