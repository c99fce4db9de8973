import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../harness/campus.ts";
import { origin, sendForm } from "../harness/deletion-form.ts";
import { findFreePort } from "../harness/free-port.ts";
import { createTestDatabase, type TestDatabase } from "../harness/postgres.ts";

// Builds the Dockerfile, and runs the image as compose.yaml does. Uses Podman, which needs neither
// a daemon nor an image registry. A slim Debian with the pinned Node and npm stands in for the
// official Node image. The tests' PostgreSQL stands in for the service `database`.

const { services } = parse(readFileSync(join(root, "compose.yaml"), "utf8"), { merge: true });

const place = mkdtempSync(join(tmpdir(), "image-"));
// This test has its own folders and settings for Podman. It therefore shares no containers or locks
// with this machine's Podman, and needs no systemd.
const folders = ["root", "runroot", "tmpdir"].map((name) => `--${name}=${place}/${name}`);
const env = { ...process.env, CONTAINERS_CONF: join(place, "containers.conf") };
const engine = `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
lock_type = "file"
`;
const podman = (...args: string[]) => run("podman", ...folders, ...args);
let database: TestDatabase;

beforeAll(async () => {
  writeFileSync(env.CONTAINERS_CONF, engine);
  database = await createTestDatabase();
  const base = join(place, "base.tar");
  await makeBase(base);
  const certificates = "/etc/ssl/certs";
  await podman(
    ...["import", "--change=ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    ...[`--change=ENV NODE_EXTRA_CA_CERTS=${certificates}/ca-certificates.crt`],
    ...[base, "localhost/base"],
  );
  await podman(
    ...["build", "--format=docker", "--layers", "--isolation=chroot", "--network=host"],
    ...["--from=localhost/base", `--volume=${certificates}:${certificates}:ro`],
    ...["--tag=localhost/site", root],
  );
}, 1_200_000);

afterAll(async () => {
  await podman("rm", "--all", "--force", "--time=5", "--volumes");
  await database.drop();
  rmSync(place, { recursive: true, force: true });
});

test("the image is at most 300 MB", async () => {
  const history: { size: number }[] = JSON.parse(
    await podman("history", "--format=json", "localhost/site"),
  );
  const sizes = history.map(({ size }) => size / 1e6).filter((size) => size > 0);
  expect(sizes).toHaveLength(2);
  const [site = 0, base = 0] = sizes;
  console.log(`Debian, Node and npm ${base.toFixed(1)} MB, the site ${site.toFixed(1)} MB`);
  expect(base + site).toBeLessThan(300);
});

test("the site stores a form, and the backup service copies it", async () => {
  const port = await findFreePort();
  const settings = {
    DATABASE_URL: database.url,
    PORT: String(port),
    PUBLIC_URL: origin,
    SECRET_KEYS: `1:${"A".repeat(43)}`,
    SMTP_URL: "smtp://127.0.0.1:9",
    SMTP_TLS: "optional",
    MAIL_FROM: "rides@campus.example",
    OPERATOR_MAIL: "team@campus.example",
  };
  const inSite = (...command: string[]) => podman("exec", "site", ...command);
  await start("site", settings);
  await expect.poll(() => podman("healthcheck", "run", "site").catch(() => "unhealthy")).toBe("");
  expect((await sendForm(`http://127.0.0.1:${port}`, {}, origin)).status).toBe(200);
  expect(await inSite("npm", "run", "requests", "list")).toContain("unconfirmed");
  expect(await inSite("id", "--user")).toBe("1000");
  await expect(inSite("touch", "/srv/campus-ride/file")).rejects.toThrow("Read-only file system");

  const output = await inSite("npm", "run", "store", "--", "backup", "new-key", "/tmp/backup-key");
  const BACKUP_KEY = String(/[A-Za-z0-9_-]{40,}/.exec(output));
  const copies = "/var/lib/campus-ride-copies";
  await start("backup", { ...settings, BACKUP_KEY, COPIES: copies });
  // Runs the service's command now instead of at night.
  const [program, script] = services.backup.command;
  await podman("exec", "backup", program, script);
  const files = await podman("exec", "backup", "find", copies, "-type", "f", "-size", "+0");
  expect(files.split("\n").sort()).toEqual([
    expect.stringMatching(/\/copies\/.*\.sealed$/),
    expect.stringMatching(/\/exports\/.*\.sealed$/),
  ]);

  await podman("stop", "--time=60", "site", "backup");
  const exits = await podman("inspect", "--format={{.State.ExitCode}}", "site", "backup");
  expect(exits).toBe("0\n0");
}, 600_000);

async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { env, maxBuffer: 2 ** 26 });
  return stdout.trim();
}

/**
 * Starts a service of compose.yaml with its limits and volumes. The service uses this machine's
 * network.
 */
async function start(name: "site" | "backup", settings: Record<string, string>): Promise<void> {
  const service = services[name];
  const flags = (flag: string, values: string[]) => values.map((value) => `--${flag}=${value}`);
  const volumes = service.volumes.filter((volume: string) => !volume.startsWith("socket:"));
  await podman(
    ...["run", "--detach", `--name=${name}`, "--network=host", "--log-driver=k8s-file"],
    // Podman would need systemd to schedule health checks, so the test runs them itself.
    "--health-interval=disable",
    // Podman's default limits need a capability that root may lack.
    ...flags("ulimit", ["nofile=4096:4096", "nproc=4096:4096"]),
    ...[`--memory=${service.mem_limit}`, `--pids-limit=${service.pids_limit}`],
    ...[`--read-only=${service.read_only}`, "--read-only-tmpfs=false"],
    ...flags("cap-drop", service.cap_drop),
    ...flags("security-opt", service.security_opt),
    // Podman doesn't support `uid` for a tmpfs. `U` gives the tmpfs to the image's user.
    ...flags("tmpfs", service.tmpfs).map((flag) => flag.replace("uid=1000,gid=1000", "U")),
    ...flags("volume", volumes),
    ...Object.entries(settings).map(([key, value]) => `--env=${key}=${value}`),
    ...["localhost/site", ...(service.command ?? [])],
  );
}

/** Packs a slim Debian 12 with Node, npm and the user `node`, like the Dockerfile's base. */
async function makeBase(target: string): Promise<void> {
  const local = join(place, "local");
  cpSync(process.execPath, join(local, "bin/node"));
  await run("npm", "install", "--silent", "--global", `--prefix=${local}`, "npm@11");
  const left = ["doc", "info", "lintian", "locale", "man"];
  await run(
    ...(["mmdebstrap", "--quiet", "--variant=minbase"] as const),
    // Without this hook and package, Debian installs Perl to merge /usr.
    "--hook-dir=/usr/share/mmdebstrap/hooks/maybe-merged-usr",
    "--include=libatomic1,usr-is-merged",
    ...left.map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
    `--customize-hook=cp -a ${local}/. "$1/usr/local/"`,
    '--customize-hook=chroot "$1" useradd --create-home --uid 1000 node',
    ...["bookworm", target],
  );
}
