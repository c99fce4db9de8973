import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadCampus } from "../campus-reader/load.ts";
import { copyCampus } from "../tests/harness/campus-copy.ts";
import { findMistakes } from "./check-campus.ts";
import { root } from "./loaded-campus.ts";
import { findMissingAlts, readOwnPictures } from "./own-pictures.ts";
import { filesOf, requirePictures } from "./pictures-plugin.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "own-pictures-"));
  mkdirSync(join(folder, "pictures"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (file: string, content: string | Buffer) =>
  writeFileSync(join(folder, "pictures", file), content);

const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#c96b3c" } });

const square = (colour: string) =>
  `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10"><script>alert(1)</script><path fill="${colour}" d="M0 0h20v10H0z"/></svg>`;

const theme = {
  light: { "art-rani": "#111111" },
  dark: { "art-rani": "#222222" },
};

describe("readOwnPictures", () => {
  test("returns nothing for a campus without a pictures folder", async () => {
    expect(await readOwnPictures(join(folder, "elsewhere"))).toEqual(new Map());
  });

  test("prepares photos for the web: upright, small and without the camera's metadata", async () => {
    put("gate.jpg", await photo(3000, 2000).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    const gate = (await readOwnPictures(folder)).get("gate");
    expect(gate).toMatchObject({ file: "gate.jpg", ending: "webp", width: 960, height: 1440 });
    const { exif, format } = await sharp(gate?.write(theme) as Buffer).metadata();
    expect({ exif, format }).toEqual({ exif: undefined, format: "webp" });
  });

  test("replaces a drawing's palette colors with the campus's light and dark colors", async () => {
    put("logo.svg", square("#D81E6A"));
    const logo = (await readOwnPictures(folder)).get("logo");
    expect(logo).toMatchObject({ ending: "svg", width: 20, height: 10 });
    const written = String(logo?.write(theme));
    expect(written).toContain("svg{--art-rani:#111111}svg:target{--art-rani:#222222}");
    expect(written).not.toContain("script");
  });

  test("preserves a drawing's colors outside the palette", async () => {
    put("logo.svg", square("#123456"));
    const logo = (await readOwnPictures(folder)).get("logo");
    expect(logo?.toSvg(theme)).toContain("#123456");
  });

  test.each([
    ["gate.gif", "x", "isn't a picture format that browsers support"],
    ["My Gate.png", "x", "has a name that doesn't work in every URL"],
    ["gate.png", "x", "can't be read"],
    ["gate.svg", "<p>", "can't be read"],
    ["gate.jpg", Buffer.alloc(9 * 1024 * 1024), "is 9.0 MB; save it smaller"],
  ])("rejects %s and says how to fix it", async (file, content, reason) => {
    put(file, content);
    await expect(readOwnPictures(folder)).rejects.toThrow(
      `campus/pictures/${file}: (whole file): ${reason}`,
    );
  });

  test("reports all unusable files at once", async () => {
    put("one.gif", "x");
    put("two.gif", "x");
    await expect(readOwnPictures(folder)).rejects.toThrow(/one\.gif[\s\S]*two\.gif/);
  });
});

describe("a campus with its own pictures", () => {
  const copy = copyCampus(join(root, "campus"));
  afterEach(() => copy.restore());

  test("prepares photos for posts and replaces our pictures with the campus's", async () => {
    copy.write("pictures/logo.svg", square("#d81e6a"));
    copy.write("pictures/logo-dark.svg", square("#ffffff"));
    copy.write("pictures/parked-bike.png", await photo(600, 400).png().toBuffer());
    copy.write("pictures/gate.jpg", await photo(1200, 900).jpeg().toBuffer());
    const { pictures, photos, slots, content } = await filesOf(copy.folder);
    expect(pictures.logo).toMatchObject({ width: 80, height: 40 });
    expect(pictures.logo?.url).toMatch(/^\/art\/logo\.\w+\.svg$/);
    expect(pictures.logo?.night).toMatch(/^\/art\/logo-dark\.\w+\.svg$/);
    expect(pictures["parked-bike"]).toMatchObject({ width: 480, height: 320 });
    expect(photos["gate.jpg"]).toMatchObject({ width: 720, height: 540 });
    expect(content.has(photos["gate.jpg"]?.url.slice(1) ?? "")).toBe(true);
    expect(slots.find(({ name }) => name === "parked-bike")?.own).toBe("parked-bike.png");
  });

  test("reports a missing picture description once per language", async () => {
    copy.write("pictures/safety.png", await photo(480, 360).png().toBuffer());
    const pictures = await readOwnPictures(copy.folder);
    expect(findMissingAlts(loadCampus(copy.folder), pictures)).toEqual(
      ["en", "bn"].map((language) => ({
        file: `content/${language}/landing.yaml`,
        field: "safety.alt",
        sentence: "must describe your picture pictures/safety.png for people who can't see it",
      })),
    );
  });

  test("fails the build if a post shows a missing photo", async () => {
    const [post] = loadCampus(copy.folder).posts;
    const file = post?.file ?? "";
    copy.change(file, /\n---\n/, "\n---\n\n![The gate at noon](pictures/gate.jpg)\n");
    const pictures = await readOwnPictures(copy.folder);
    expect(() => requirePictures(loadCampus(copy.folder), pictures)).toThrow(
      `campus/${file}: (text): shows pictures/gate.jpg, which does not exist`,
    );
  });

  test("reports a photo that is too large once, though a post shows it", async () => {
    const [post] = loadCampus(copy.folder).posts;
    const front = /^picture: .*([\s\S]*?\n---\n)/m;
    copy.change(post?.file ?? "", front, "picture: gate$1\n![The gate](pictures/gate.jpg)\n");
    copy.write("pictures/gate.jpg", Buffer.alloc(40 * 1024 * 1024));
    const { errors } = await findMistakes(copy.folder);
    expect(errors).toMatchObject([
      { file: "pictures/gate.jpg", sentence: expect.stringContaining("is 40.0 MB; save it") },
    ]);
  });

  test("fails the build if a photo in a post has no description", () => {
    const [post] = loadCampus(copy.folder).posts;
    copy.change(post?.file ?? "", /\n---\n/, "\n---\n\n![](pictures/gate.jpg)\n");
    expect(() => loadCampus(copy.folder)).toThrow(
      "the picture pictures/gate.jpg has no description",
    );
  });
});
