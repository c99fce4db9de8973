import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { campus, root } from "../harness/campus.ts";
import { copyCampus } from "../harness/campus-copy.ts";
import { elementsOf, idsOf, linksOf, mainOf, textOf } from "../harness/html.ts";
import { startServerProcess } from "../harness/server-process.ts";

/** A campus without some parts of the site, and with eight services of its own. */

const copy = copyCampus(join(root, "campus"));
copy.change(
  "campus.yaml",
  "motifs:",
  "sections: [steps, services, contact, refund, registration]\nmotifs:",
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

test("shows the listed sections in their order, and no others", async () => {
  const html = mainOf(await read("/"));
  const shown = idsOf(html).filter((id) =>
    /^(?:services|features|steps|safety|Registration|about|careers|contact|cookies|refund)$/.test(
      id,
    ),
  );
  expect(shown).toEqual(["steps", "services", "contact", "refund", "Registration"]);
  expect(html).not.toContain(campus.landing.faqTeaser.title);
  expect(html).not.toContain(campus.landing.paint?.legend);
});

test.each(["/blog", "/blog?category=All", "/blog/12", "/feed.xml", "/faq", "/nowhere"])(
  "answers %s like an unknown address",
  async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(textOf(await response.text())).toContain(campus.interface.error.notFoundText);
  },
);

test("links to nothing that is left out, on any page or in any file", async () => {
  const gone = /\/blog|\/feed\.xml|\/faq|#(?:about|careers|cookies|features|safety)\b/;
  for (const path of ["/", "/bn", "/privacy-policy", "/delete-my-account", "/nowhere"]) {
    const html = await read(path);
    const alternates = elementsOf(html, "link").map(({ attributes }) => attributes.href ?? "");
    const targets = [...linksOf(html).map(({ href }) => href ?? ""), ...alternates];
    expect(targets.length, path).toBeGreaterThan(5);
    expect(
      targets.filter((target) => gone.test(target)),
      path,
    ).toEqual([]);
  }
  for (const path of ["/sitemap.xml", "/llms.txt"])
    expect(await read(path), path).not.toMatch(gone);
});

test("shows a service of any name with a picture, in the first language until it is translated", async () => {
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
