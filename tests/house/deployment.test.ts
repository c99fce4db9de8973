import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../harness/campus.ts";

// Validates the sample files from docs/put-it-online.md with the programs that read them, if
// installed.

const folder = join(root, "examples/systemd");
const units = readdirSync(folder).filter((name) => name.endsWith(".service"));
const analyze = "/usr/bin/systemd-analyze";
const run = (file: string, words: string[]) => {
  const { status, stdout, stderr } = spawnSync(file, words, { encoding: "utf8" });
  return { status, output: stdout + stderr };
};

describe.skipIf(!existsSync(analyze))("systemd units", () => {
  // The alert unit isn't confined, because it runs the administrator's own command.
  test.each(units.filter((name) => !name.includes("alert")))(
    "systemd-analyze rates %s as safe",
    (name) => {
      // The unit that copies backups to another machine needs root's SSH key.
      const threshold = name.includes("carry") ? 21 : 17;
      const words = ["security", "--offline=true", `--threshold=${threshold}`, join(folder, name)];
      const { status, output } = run(analyze, words);
      expect(status, output).toBe(0);
    },
  );

  test.each(readdirSync(folder))("systemd-analyze accepts every setting in %s", (name) => {
    const { output } = run(analyze, ["verify", "--man=no", join(folder, name)]);
    // The units' programs aren't installed on this machine.
    const complaints = output.split("\n").filter((line) => line.includes(folder));
    expect(complaints.filter((line) => !/is not executable|Failed to/.test(line))).toEqual([]);
  });
});

test.each(["campus-ride.service", "campus-ride@.service"])(
  "%s restarts without a limit and alerts the administrator",
  (name) => {
    const unit = readFileSync(join(folder, name), "utf8");
    for (const line of ["Restart=on-failure", "RestartSec=5", "StartLimitIntervalSec=0"]) {
      expect(unit.split("\n")).toContain(line);
    }
    expect(unit).toMatch(/^OnFailure=campus-ride-alert@%n\.service$/m);
  },
);

const caddy = process.env.CADDY_PATH ?? "/usr/bin/caddy";

test.skipIf(!existsSync(caddy))("Caddy accepts the sample configuration", () => {
  const sample = join(root, "examples/caddy/Caddyfile");
  const { status, output } = run(caddy, ["adapt", "--config", sample, "--adapter", "caddyfile"]);
  expect(status, output).toBe(0);
  expect(output).toContain("{http.request.uuid}");
});

test("the release workflow publishes an image for both architectures", () => {
  const workflow = parse(readFileSync(join(root, ".github/workflows/image.yml"), "utf8"));
  expect(workflow.on.push).toEqual({ tags: ["v*"] });
  const steps: { uses: string; with: Record<string, unknown> }[] = workflow.jobs.publish.steps;
  const build = steps.find(({ uses }) => uses.startsWith("docker/build-push-action@"));
  expect(build?.with).toMatchObject({
    platforms: "linux/amd64,linux/arm64",
    push: true,
    sbom: true,
  });
});
