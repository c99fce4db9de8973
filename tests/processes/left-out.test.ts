import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { campus, root } from "../harness/campus.ts";
import { copyCampus } from "../harness/campus-copy.ts";
import {
  elementsOf,
  idsOf,
  jsonLdOf,
  linksOf,
  mainOf,
  metaOf,
  plain,
  textOf,
  titleOf,
} from "../harness/html.ts";
import { startServerProcess } from "../harness/server-process.ts";

/** A campus without some sections and with eight services. */

const copy = copyCampus(join(root, "campus"));
copy.change(
  "campus.yaml",
  "motifs:",
  `notices:
  - { text: { en: "The ferry rests", bn: "খেয়া বন্ধ" }, until: "2999-12-31", link: /womens-rides }
  - { text: { en: "Exams begin" }, until: "2999-12-31" }
  - { text: { en: "Long over" }, until: "2026-01-01" }
sections: [steps, services, contact, refund, registration]
motifs:`,
);
const ids = ["bike", "night-bus", "luggage", "food", "tandem", "ferry", "tools", "notes"];
const services = ids.map((id, place) => ({
  id,
  title: `Service ${place + 1}`,
  description: "Carried by students.",
  status: place < 6 ? "available" : "coming",
}));
copy.write(
  "content/en/landing.yaml",
  JSON.stringify({ services: { items: services, facts: [{ label: "Where", value: "Here" }] } }),
);
copy.write(
  "content/bn/landing.yaml",
  JSON.stringify({ services: { items: [{ id: "ferry", title: "খেয়া", description: "নদী পার" }] } }),
);
copy.write(
  "pictures/gate.svg",
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40"><path d="M0 0h80v40z"/></svg>',
);
copy.write(
  "content/en/pages/womens-rides.md",
  '---\ntitle: "Rides among women"\ndescription: "Who drives whom."\nplace: menu\n---\n\n## At the gate\n\n![The gate](pictures/gate.svg)\n',
);
copy.write(
  "content/en/pages/partners.md",
  '---\ntitle: "Partners"\ndescription: "Who helps us."\nplace: footer\n---\n\nSee [rides](/womens-rides#at-the-gate).\n',
);
copy.write(
  "content/bn/pages/partners.md",
  '---\ntitle: "সহযোগী"\ndescription: "কারা সাহায্য করে।"\n---\n\n[যাত্রা](/womens-rides) দেখুন।\n',
);
const titles = {
  devanagari: "कैंपस की सवारी",
  cyrillic: "Поїздки кампусом",
  thai: "เดินทางในมหาวิทยาลัย",
  emoji: "Rides 🛵 at night 🌙",
};
for (const [script, title] of Object.entries(titles)) {
  copy.write(
    `content/en/pages/${script}.md`,
    `---\ntitle: "${title}"\ndescription: "${title}."\nplace: none\n---\n\n## ${title}\n`,
  );
}
copy.remove("content/en/posts");
copy.remove("content/en/faq.yaml");

let server: Awaited<ReturnType<typeof startServerProcess>>;
beforeAll(async () => {
  server = await startServerProcess(
    { NODE_ENV: "development", CAMPUS_DIR: copy.folder },
    undefined,
    "vite/development.ts",
  );
});
afterAll(async () => {
  await server?.stop();
  copy[Symbol.dispose]();
});

const ask = (path: string) => fetch(server.url + path, { redirect: "manual" });
const read = async (path: string) => (await ask(path)).text();

test("shows only the listed sections, in their order", async () => {
  const html = mainOf(await read("/"));
  const shown = idsOf(html).filter((id) =>
    /^(?:services|features|steps|safety|Registration|about|careers|contact|cookies|refund)$/.test(
      id,
    ),
  );
  expect(shown).toEqual(["steps", "services", "contact", "refund", "Registration"]);
  expect(html).not.toContain(campus.landing.faqTeaser.title);
});

test.each(["/blog", "/blog?category=All", "/blog/12", "/feed.xml", "/faq", "/nowhere"])(
  "returns the not-found page for %s",
  async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(textOf(await response.text())).toContain(campus.interface.error.notFoundText);
  },
);

test("links to no section that the campus leaves out", async () => {
  const removed = /\/blog|\/feed\.xml|\/faq|#(?:about|careers|cookies|features|safety)\b/;
  for (const path of ["/", "/bn", "/privacy-policy", "/delete-my-account", "/nowhere"]) {
    const html = await read(path);
    const alternates = elementsOf(html, "link").map(({ attributes }) => attributes.href ?? "");
    const targets = [...linksOf(html).map(({ href }) => href ?? ""), ...alternates];
    expect(targets.length, path).toBeGreaterThan(5);
    expect(
      targets.filter((target) => removed.test(target)),
      path,
    ).toEqual([]);
  }
  for (const path of ["/sitemap.xml", "/llms.txt"])
    expect(await read(path), path).not.toMatch(removed);
});

test("shows current notices on every public page, including error pages", async () => {
  const broken = ["/nowhere", "/blog/12", "/delete-my-account?link=nothing"];
  for (const path of ["/", "/womens-rides", "/delete-my-account", ...broken]) {
    const [notices] = elementsOf(await read(path), "aside", { "aria-label": "Notice" });
    expect(textOf(notices?.html ?? ""), path).toBe("The ferry rests Exams begin");
    expect(linksOf(notices?.html ?? "").map(({ href }) => href)).toEqual(["/womens-rides"]);
  }
  const [notices] = elementsOf(await read("/bn"), "aside");
  expect(textOf(notices?.html ?? "")).toBe("খেয়া বন্ধ Exams begin");
  expect(elementsOf(notices?.html ?? "", "p")[1]?.attributes.lang).toBe("en");
  expect(linksOf(notices?.html ?? "").map(({ href }) => href)).toEqual(["/bn/womens-rides"]);
});

test("serves the campus's own pages in every language", async () => {
  const html = await read("/womens-rides");
  const [photo] = elementsOf(mainOf(html), "img");
  expect(photo?.attributes).toMatchObject({ alt: "The gate", width: "80", height: "40" });
  expect((await ask(photo?.attributes.src ?? "")).status).toBe(200);
  expect(titleOf(html)).toBe("Rides among women · CampusRide");
  expect(metaOf(html, "description")).toBe("Who drives whom.");
  expect(jsonLdOf(html).map((block) => block["@type"])).toContain("WebPage");
  const alternates = elementsOf(html, "link", { rel: "alternate" });
  expect(alternates.map(({ attributes }) => attributes.hreflang)).toContain("bn");
  const bangla = await read("/bn/womens-rides");
  expect(elementsOf(bangla, "h1")[0]).toMatchObject({ attributes: { lang: "en" } });
  const note = campus.translations[0]?.interface.languages.notTranslated.split("{")[0] ?? "";
  expect(textOf(bangla)).toContain(plain(note));
  expect(textOf(await read("/bn/partners"))).toContain("সহযোগী");
  expect(linksOf(await read("/bn/partners")).map(({ href }) => href)).toContain("/bn/womens-rides");
});

test.each(Object.entries(titles))(
  "serves the campus's own page titled %s",
  async (script, title) => {
    const html = await read(`/${script}`);
    for (const heading of ["h1", "h2"]) {
      expect(textOf(elementsOf(html, heading)[0]?.html ?? ""), heading).toBe(title);
    }
    expect(titleOf(html)).toBe(`${title} · CampusRide`);
    const image = await fetch(server.url + new URL(metaOf(html, "og:image") ?? "").pathname);
    expect(image.headers.get("content-type")).toBe("image/png");
  },
);

test("links to the campus's own pages in the menu, the footer, the sitemap and llms.txt", async () => {
  const html = await read("/");
  const [menu] = elementsOf(html, "nav", { id: "site-menu" });
  expect(linksOf(menu?.html ?? "")).toContainEqual(
    expect.objectContaining({ href: "/womens-rides", text: "Rides among women" }),
  );
  const [footer] = elementsOf(html, "footer");
  expect(linksOf(footer?.html ?? "").map(({ href }) => href)).toContain("/partners");
  for (const path of ["/sitemap.xml", "/llms.txt"]) {
    const text = await read(path);
    expect(text).toContain("/womens-rides");
    expect(text).toContain("/partners");
  }
  expect(await read("/sitemap.xml")).toContain("/bn/partners");
});

test("shows a custom service in the default language until it is translated", async () => {
  for (const path of ["/", "/bn"]) {
    const articles = elementsOf(mainOf(await read(path)), "article").slice(0, ids.length);
    expect(articles.map(({ html }) => /service-([\w-]+)\.svg/.exec(html)?.[1])).toEqual(ids);
    for (const { html } of articles) {
      const [picture = ""] = /\/art\/\w+\/service-[\w-]+\.svg/.exec(html) ?? [];
      expect((await ask(picture)).status, picture).toBe(200);
    }
    const ferry = articles[ids.indexOf("ferry")];
    const tools = articles[ids.indexOf("tools")];
    expect(textOf(tools?.html ?? "")).toContain("Service 7");
    if (path === "/") continue;
    expect(ferry?.attributes.lang).toBeUndefined();
    expect(textOf(ferry?.html ?? "")).toContain("খেয়া");
    expect(tools?.attributes.lang).toBe("en");
  }
});
