import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { loadCampus } from "../campus-reader/load.ts";
import { CampusError } from "../campus-reader/mistakes.ts";
import { root } from "../tests/harness/campus.ts";
import { folder, folderForEachTest } from "../tests/harness/folder.ts";
import { runToEnd } from "../tests/harness/server-process.ts";
import { findBorrowed, findMistakes } from "../vite/check-campus.ts";
import { ask, untouched, writeCampus } from "./new-campus.ts";

folderForEachTest();

test("writes a complete, valid campus with three posts in one command", {
  timeout: 300_000,
}, async () => {
  const made = join(folder, "new", "campus");
  const ending = await runToEnd("scripts/new-campus.ts", {}, [
    made,
    "--product=HopOn",
    "--university=Northlake College",
    "--zone=Europe/Dublin",
    "--primary=#8a2be2",
    "--weekend=6,7",
  ]);
  expect(ending).toMatchObject({ code: 0, stderr: "" });
  expect(ending.stdout).toContain("npm start");
  const campus = loadCampus(made);
  expect(campus.settings).toMatchObject({ product: "HopOn", timeZone: "Europe/Dublin" });
  expect(campus.posts).toHaveLength(3);
  // The shade of the given color that has enough contrast with text.
  expect(readFileSync(join(made, "theme.css"), "utf8")).toContain("--primary: #7c0ed1");
});

test("writes a valid campus from answers with unusual characters and values", {
  timeout: 300_000,
}, async () => {
  await writeCampus(folder, {
    ...untouched,
    product: "Twende & N'gong Café",
    team: "Tíméa O'Mällöy & the Crew",
    sign: "Rs.",
    currency: "PKR",
    weekend: "5, 6",
    android: "https://play.hopon.example/app",
    ios: "none",
  });
  const { settings, landing } = loadCampus(folder);
  expect(settings.stores).toEqual([
    expect.objectContaining({ name: "Google Play", url: "https://play.hopon.example/app" }),
  ]);
  expect(landing.hero.phone.fare).toBe("Rs.\u00a0150");
});

test("asks a campus in a language that we lack to describe its own pictures", async () => {
  await writeCampus(folder, { ...untouched, language: "pt" });
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h9"/></svg>';
  mkdirSync(join(folder, "pictures"));
  writeFileSync(join(folder, "pictures/about.svg"), svg);
  const { errors } = await findMistakes(folder);
  expect(errors).toMatchObject([{ file: "content/pt/landing.yaml", field: "about.pictureAlt" }]);
});

test("explains each flag with --help", async () => {
  const { code, stdout } = await runToEnd("scripts/new-campus.ts", {}, ["--help"]);
  expect(code).toBe(0);
  for (const name of Object.keys(untouched))
    expect(stdout).toMatch(new RegExp(`^  --${name} `, "m"));
});

test("omits sections and the links to them, and derives the sample prices from the fare", async () => {
  await writeCampus(folder, {
    ...untouched,
    language: "sw",
    currency: "KES",
    sign: "KSh",
    fare: "70",
    vehicle: "rickshaw",
    without: "blog, careers, about, contact",
  });
  const { settings, posts, landing } = loadCampus(folder);
  expect(settings).toMatchObject({ language: "sw", heroVehicle: "rickshaw" });
  expect(settings.sections).not.toContain("blog");
  expect(posts).toEqual([]);
  const fares = landing.features.tiles.find(({ id }) => id === "fare");
  expect(fares?.details.map(({ value }) => value)).toEqual([
    "KSh\u00a028",
    "KSh\u00a028",
    "KSh\u00a014",
  ]);
  expect(fares?.total?.value).toBe("KSh\u00a070");
  const offers = landing.features.tiles.find(({ id }) => id === "match");
  expect(offers?.details.map(({ value }) => value)).toEqual([
    "KSh\u00a080",
    "KSh\u00a063",
    "KSh\u00a070",
  ]);
  expect(findBorrowed(loadCampus(folder), folder)).toEqual([
    expect.stringMatching(/^sw: \d+ of \d{4} product texts; the others are shown in English$/),
  ]);
  // Notes wouldn't fail a build, so check them, too.
  expect((await findMistakes(folder)).notes).toEqual([]);
});

test.each([
  ["de", "Was ist", "Bibliothek"],
  ["bn", "কী?", "লাইব্রেরি"],
])(
  "writes the short text, the questions and the data list in %s",
  async (language, question, place) => {
    await writeCampus(folder, { ...untouched, language });
    const { faq, dataKinds, settings, landing } = loadCampus(folder);
    expect(faq[0]?.question).toContain(question);
    expect(settings.places?.map(({ name }) => name)).toContain(place);
    const english = readFileSync(join(root, "scripts/new-campus/deletion.yaml"), "utf8");
    const ours = dataKinds.filter(({ key }) => english.includes(`key: ${key}\n`));
    expect(ours.length).toBeGreaterThan(10);
    for (const { kind, examples, when = "", why = "", place: store } of ours) {
      for (const text of [kind, examples, when, why, store].filter(Boolean))
        expect(english).not.toContain(` ${text}\n`);
    }
    expect(landing.hero.pictureAlt).not.toContain("motorbike");
    expect((await findMistakes(folder)).notes).toEqual([]);
  },
);

test("reads answers from a pipe and uses the defaults for missing answers", async () => {
  const input = new PassThrough();
  input.end("Zed\nThe Zed Team\n\n");
  const output = new PassThrough().resume();
  const answers = await ask({}, { input, output, isTerminal: false });
  expect(answers).toEqual({ ...untouched, product: "Zed", team: "The Zed Team" });
});

test("doesn't wait for the end of a pipe after the last answer", { timeout: 20_000 }, async () => {
  const input = new PassThrough();
  input.write("\n".repeat(Object.keys(untouched).length));
  const output = new Writable({ write: (_, __, done) => done() });
  expect(await ask({}, { input, output, isTerminal: false })).toEqual(untouched);
});

test("lists all flags after an unknown flag or a flag without a value", async () => {
  for (const flag of ["--colour=#8a2be2", "--zone"]) {
    const { code, stderr } = await runToEnd("scripts/new-campus.ts", {}, [folder, flag]);
    expect(code).toBe(2);
    expect(stderr).toContain("There are --product, --team,");
    expect(stderr.trim().split("\n")).toHaveLength(1);
  }
});

test("doesn't mention the first campus in a new campus", async () => {
  await writeCampus(folder, untouched);
  const { product, developer, campus, city, country, wallet, email, currency, emergency } =
    loadCampus(join(root, "campus")).settings;
  const names = [product, developer, campus, city, country, wallet, email, currency.sign];
  const words = [...names, "rickshaw", "BRTA", "Bangla", `>${emergency}<`];
  const findWords = (text: string) =>
    words.filter((word) => text.toLowerCase().includes(word.toLowerCase()));
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(yaml|md)$/.test(file)) continue;
    expect(findWords(readFileSync(join(folder, file), "utf8")), file).toEqual([]);
  }
  expect(findWords(JSON.stringify(loadCampus(folder).landing))).toEqual([]);
});

test("rejects a file in place of a folder, and a folder that can't be made", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  await expect(writeCampus(file, untouched)).rejects.toThrow("is a file; name a folder");
  const within = writeCampus(join(file, "campus"), untouched);
  await expect(within).rejects.toThrow("cannot be made (ENOTDIR); name a folder");
});

test("rejects a folder that isn't empty", async () => {
  await expect(writeCampus(folder, untouched)).resolves.toBeUndefined();
  await expect(writeCampus(folder, untouched)).rejects.toThrow(/is not empty/);
});

test("repeats a question after an invalid answer and keeps the other answers", async () => {
  const input = new PassThrough();
  const printed: string[] = [];
  const replies: Record<string, string[]> = {
    "Name of the app": ["HopOn"],
    "Time zone": ["Dublin", "Europe/Dublin"],
    "Email address": ["nobody", "help@hopon.example"],
    "Main colour": ["violet", "#8a2be2"],
    Weekend: ["Saturday", "6,7"],
    Emergency: ["llZ", "911"],
  };
  const output = new Writable({
    write(chunk, _, done) {
      const text = String(chunk);
      printed.push(text);
      if (text.endsWith(": ")) {
        const question = Object.keys(replies).find((key) => text.startsWith(key));
        setImmediate(() => input.write(`${(question && replies[question]?.shift()) ?? ""}\n`));
      }
      done();
    },
  });
  const answers = await ask({}, { input, output, isTerminal: true });
  expect(answers).toMatchObject({
    product: "HopOn",
    zone: "Europe/Dublin",
    email: "help@hopon.example",
    primary: "#8a2be2",
    weekend: "6,7",
    emergency: "911",
    team: untouched.team,
  });
  expect(printed.join("")).toContain("It must be a telephone number: digits only, such as 112.");
  expect(printed.join("")).toContain("It must be an IANA time zone such as Europe/Paris.");
  expect(printed.filter((text) => text.startsWith("Name of the app"))).toHaveLength(1);
});

test("accepts all answers pasted at once", async () => {
  const input = new PassThrough();
  const output = new PassThrough().resume();
  const given = { ...untouched, product: "HopOn", city: "Northlake" };
  input.end(`${Object.values(given).join("\n")}\n`);
  expect(await ask({}, { input, output, isTerminal: true })).toEqual(given);
});

test("reports that nothing was written if the input ends before the last answer", async () => {
  const input = new PassThrough();
  input.end("HopOn\n");
  const answers = ask({}, { input, output: new PassThrough().resume(), isTerminal: true });
  await expect(answers).rejects.toThrow(/Nothing was written/);
});

test.each([
  ["product", "Ride ".repeat(20), "It must be 30 characters"],
  ["team", "The {team}", "It must be plain words"],
  ["primary", "#777777", "Text on it would be unreadable"],
  ["currency", "XYZ", "It must be the code of"],
  ["currency", "Euro", "It must be three capital letters"],
  ["weekend", "6,6", "It must be days"],
  ["email", "help@café.example", "It must be one email address"],
])(
  "explains why --%s=%s is invalid and reports all other mistakes",
  async (flag, given, sentence) => {
    const refused = writeCampus(folder, { ...untouched, emergency: "llZ", [flag]: given });
    await expect(refused).rejects.toThrow(CampusError);
    await expect(refused).rejects.toThrow(`--${flag}=${given}: ${sentence}`);
    await expect(refused).rejects.toThrow("--emergency=llZ: It must be a telephone number");
    // A failed attempt must leave no files, because the next attempt needs an empty folder.
    expect(readdirSync(folder)).toEqual([]);
  },
);
