import { afterAll, expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
import { filledForm } from "../harness/deletion-form.ts";
import { elementsOf, linksOf, mainOf, textOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

/** Checks the project's own campus for the content that the specification requires. */

const { settings, landing } = campus;
const site = await openTestSite();
afterAll(() => site[Symbol.asyncDispose]());

const emergency = new RegExp(`\\b${settings.localEmergency}\\b`);
const legalFrame = [/Last updated: July 2025/, ...Array(10).fill(/In short/), /back to top/i];
const sentences: Record<string, (string | RegExp)[]> = {
  "/": [
    "Campus Ride-Share",
    "By the students, for the students",
    ...["Campus Services", "Bike Ride Share"],
    /Rickshaw Booking.*Food Delivery.*Find People for Assistance/,
    ...Array(3).fill("Coming Soon"),
    ...["Ride Smarter Ride Better", "Quick Ride Requests", "Live Ride Tracking"],
    ...[`Pay Cash or ${settings.wallet}`, "Student-Friendly Fares"],
    /Ride Made Simple.*Sign Up & Verify.*Request a Ride.*Accept & Start Ride.*Payment & Feedback/,
    ...[landing.contact.title, landing.careers.title],
    ...[landing.registration.title, "Cookie Policy", "Refund Policy", "WCAG 2.2"],
    ...[/\b18\b/, /licence/i, /registration/i, /insurance/i, /5 min/i, /no-show/i],
    emergency,
    ...[/\bUser\b/, /\bRider\b/, /government ID/],
    ...["Google Play", /App Store\W.*coming soon/i],
    ...[/on.demand/i, /\bbid\b/, /\boffer\b/],
  ],
  "/faq": [
    ...["User", "Rider", "18 or older", "bid", "offer", settings.wallet, emergency],
    ...[settings.stores[0]?.name ?? "", "Rickshaw Booking", /on.demand/i, /staff and faculty/i],
    ...["Still have questions?", /cash/],
  ],
  "/blog/34": ["between 11 AM and 4 PM", "Money Saving"],
  "/privacy-policy": [
    ...legalFrame,
    ...[/name/i, /student ID/i, /profile photo/i, /email/i, /phone/i, /university or college/i],
    ...[/campus/i, /password/i, /security questions/i, /pick-up and drop-off/i, /routes/i],
    ...[/times/i, /fares/i, /preferences/i, /location/i, /permission/i, /device information/i],
    ...[/usage data/i, /logs/i],
  ],
  "/terms-conditions": [
    ...legalFrame,
    /18 (years of age )?or older/,
    /enrolled or employed at an educational institution/,
    /educational email( address)? or an institutional ID/,
    ...[/government ID/, /driver.s licen[cs]e/, /vehicle registration/, /insurance/],
    ...[/one account per person/i, /limit or suspend|limited or suspended/],
    /cash payments? between (driver and rider|a driver and a rider|rider and driver)[^.]*prohibited|prohibit[^.]*cash/i,
    ...[/through the platform/, /5 minutes (after|of)[^.]*accept/, /fee/, /no-show/i],
    ...[/5 minutes (after|of)[^.]*arriv/, /60 days/, /mediat[\s\S]*binding arbitration/i],
    /(six|6) months/,
    new RegExp(`\\b911\\b.{0,200}${emergency.source}`),
    ...[/Scheduled rides are not offered/i, /\bbid/, /User/, /Rider/],
  ],
  "/delete-my-account": [
    "ACCOUNT MANAGEMENT",
    "Important Notice",
    "Deleting your account will permanently remove all your data, including ride history, preferences, and personal information. This action cannot be reversed.",
    ...["Account Deletion Form", "Email Address", "Reason for Account Deletion"],
    ...["Additional Feedback (Optional)", "Need Help?"],
    /stays active and usable until the deletion is complete/,
    ...["7-10 business days", /Kept.*24 months/],
    /I no longer need the service Privacy concerns Found a better alternative/,
    /Too many notifications Technical issues Other Additional Feedback/,
    "Cancel Delete My Account",
    ...[/active ride/i, /owe/i, /freeze/i, /mailbox closed/i],
  ],
};

test.each(Object.entries(sentences))(
  "%s contains every sentence that the specification requires",
  async (path, wanted) => {
    const text = textOf(mainOf(await site.read(path)));
    // A sentence that the specification lists twice must occur twice.
    const missing = wanted.filter((expected) => {
      const times = wanted.filter((other) => other === expected).length;
      const pattern = typeof expected === "string" ? RegExp.escape(expected) : expected.source;
      const flags = typeof expected === "string" ? "g" : `${expected.flags}g`;
      return (text.match(new RegExp(pattern, flags)) ?? []).length < times;
    });
    expect(missing).toEqual([]);
  },
);

test.each([
  ["/", "Campus Rides, Made Simple"],
  ["/privacy-policy", "Privacy Policy"],
  ["/terms-conditions", "Terms & Conditions"],
  ["/delete-my-account", "Delete My Account"],
])("the heading of %s is %s", async (path, title) => {
  const headings = elementsOf(mainOf(await site.read(path)), "h1");
  expect(headings.map((heading) => textOf(heading.html))).toEqual([title]);
});

test.each([
  [`Download ${settings.product} App`, settings.links.download],
  ["Join as Rider", settings.links.joinAsRider],
])('opens the placeholder link "%s" in a new tab', async (name, href) => {
  const link = linksOf(await site.read("/")).find(({ text }) => text.startsWith(name));
  expect(link?.attributes).toMatchObject({ href, target: "_blank" });
  expect(`${link?.text} ${link?.attributes["aria-label"] ?? ""}`).toMatch(/new tab/);
  expect(new URL(href).hostname).toMatch(/\.example$/);
});

test("the landing page shows the first five of eight FAQs", async () => {
  const html = await site.read("/");
  const summaries = [
    ...html.matchAll(/<details name="faq"[^>]*><summary[^>]*>([\s\S]*?)<\/summary>/g),
  ];
  expect(summaries.map((match) => textOf(match[1] ?? ""))).toEqual(
    campus.faq.slice(0, 5).map((item) => item.question),
  );
  expect(linksOf(html)).toContainEqual(
    expect.objectContaining({ href: "/faq", text: "View All FAQs" }),
  );
  expect(linksOf(html).some(({ href }) => href === `mailto:${settings.email}`)).toBe(true);
});

test("the FAQ page has eight questions and answers", async () => {
  const html = await site.read("/faq");
  const items = elementsOf(html, "details");
  expect(items).toHaveLength(8);
  for (const [index, item] of items.entries()) {
    const entry = campus.faq[index];
    expect(textOf(elementsOf(item.html, "summary")[0]?.html ?? "")).toBe(entry?.question);
    expect(textOf(item.html).length).toBeGreaterThan(150);
  }
  expect(linksOf(html)).toContainEqual(
    expect.objectContaining({ text: "Contact Support", href: "/#contact" }),
  );
});

test("the privacy policy and the deletion page show the same table of deleted and retained data", async () => {
  const tableOn = async (path: string) =>
    elementsOf(await site.read(path), "table")
      .map((table) => textOf(table.html))
      .find((text) => campus.dataKinds.every((row) => text.includes(row.kind)));
  const table = await tableOn("/privacy-policy");
  expect(table).toBeDefined();
  expect(await tableOn("/delete-my-account")).toBe(table);
});

test("the success panel has the specified text and links", async () => {
  const sent = await site.post("/delete-my-account", filledForm());
  const panel = mainOf(await sent.text());
  expect(textOf(panel)).toContain("Account Deletion Request Submitted");
  expect(linksOf(panel)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ text: "Return to Home", href: "/" }),
      expect.objectContaining({ text: "Submit Another Request", href: "/delete-my-account" }),
    ]),
  );
});

test("the blog lists fourteen of its fifteen posts", () => {
  expect(campus.posts.map((post) => post.id).toSorted((a, b) => a - b)).toEqual(
    [12, 34, 57, 8, 23, 90, 14, 67, 29, 52, 36, 74, 88, 19, 53].toSorted((a, b) => a - b),
  );
  expect(campus.posts.filter((post) => post.listed)).toHaveLength(14);
  for (const { date } of campus.posts) expect(date).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
});

test("the blog uses the specified wording", () => {
  const { blog } = campus.interface;
  expect(settings.defaultCategory).toBe("Safety");
  const names = settings.categories.map((category) => blog.categories[category]);
  expect(names.join(", ")).toBe("Safety, Money Saving, Community, Technology, Lifestyle");
  expect(blog).toMatchObject({
    title: "Blog & Safety Tips",
    all: "All",
    readMore: "Read More",
    minutes: "{minutes} min read",
    backToBlog: "← Back to Blog",
    emptyTitle: "No posts found",
    emptyText: 'No blog posts available for "{category}" category at the moment.',
    notFoundTitle: "Blog not found",
    notFoundButton: "Back to Blog",
  });
});

test("the header, footer and error page use the specified wording", () => {
  const { nav, footer, skipLink, error } = campus.interface;
  expect(nav).toMatchObject({
    home: "Home",
    blog: "Blog",
    faq: "FAQ",
    registration: "Registration",
  });
  expect(footer).toMatchObject({
    about: "About Us",
    contact: "Contact",
    careers: "Careers",
    privacy: "Privacy Policy",
    terms: "Terms & Condition",
    cookies: "Cookie Policy",
    refund: "Refund Policy",
    notYet: "coming soon",
  });
  expect(settings.social).toEqual([
    { name: "Facebook", url: expect.stringMatching(/^https:/) },
    { name: "LinkedIn", url: "" },
  ]);
  expect(skipLink).toBe("Skip to content");
  expect(error.title).toBe("Unexpected Application Error!");
});
