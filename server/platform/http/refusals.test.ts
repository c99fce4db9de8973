import { describe, expect, test } from "vitest";
import { refusalWords } from "./refusals.fixture.ts";
import { createRefusals } from "./refusals.ts";

const refusals = createRefusals([refusalWords(), refusalWords("bn")], {
  shared: () => ["X-Content-Type-Options", "nosniff"],
  isForScripts: (path) => path === "/for-scripts",
  problemAt: (path, kind) =>
    path === "/hook" ? { type: `https://rides.example/hook#${kind}`, title: kind } : undefined,
});
const textFor = (refused: Parameters<typeof refusals.find>[1]) =>
  refusals.find("tooLarge", refused).body.toString();

describe("a refusal", () => {
  test("renders an HTML page for a browser", () => {
    expect(textFor({ url: "/", accept: "text/html,*/*;q=0.8" })).toMatch(/^<!DOCTYPE html>/);
  });

  test.each([
    ["uses fetch", { url: "/", accept: "*/*", secFetchDest: "empty" }],
    ["accepts JSON", { url: "/", accept: "application/json" }],
    ["posts to a path for scripts", { url: "/for-scripts?a=1", accept: "*/*" }],
  ])("renders problem details for a script that %s", (_, refused) => {
    expect(JSON.parse(textFor(refused))).toEqual({
      type: "about:blank",
      title: "Refused: tooLarge",
      status: 413,
      detail: "Nothing was stored",
    });
  });

  test("writes problem details in the language of the endpoint's path", () => {
    const { title } = JSON.parse(textFor({ url: "/bn/for-scripts", accept: "*/*" }));
    expect(title).toBe("Refused in bn: tooLarge");
  });

  test("uses the problem types of a webhook", () => {
    expect(JSON.parse(textFor({ url: "/hook" }))).toEqual({
      type: "https://rides.example/hook#too-large",
      title: "too-large",
      status: 413,
    });
  });

  test("renders plain text for other clients", () => {
    expect(textFor({ url: "/" })).toBe("Refused: tooLarge\nNothing was stored\n");
  });

  test.each([
    ["/bn", "Refused in bn"],
    ["/bn/faq?a=1", "Refused in bn"],
    ["/faq?a=1&lang=bn", "Refused in bn"],
    ["/xx/faq", "Refused:"],
    ["/", "Refused:"],
  ])("renders a refusal in the language of the path %s", (url, title) => {
    expect(textFor({ url })).toContain(title);
  });

  test("renders each refusal only once", () => {
    const refused = { url: "/", accept: "text/html" };
    expect(refusals.find("tooLarge", refused)).toBe(refusals.find("tooLarge", refused));
  });
});

test.each(["text/html", "application/json", "*/*"])(
  "includes the request id in a failure for a client that accepts %s",
  async (accept) => {
    const request = new Request("http://localhost/", { headers: { accept } });
    const answers = ["4711", "4712"].map((id) => refusals.toResponse("fault", request, [], id));
    for (const [at, id] of ["4711", "4712"].entries()) {
      const body = await answers[at]?.text();
      expect(body).toContain(id);
      expect(answers[at]?.headers.get("content-length")).toBe(String(body?.length));
    }
  },
);
