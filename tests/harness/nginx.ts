import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./campus.ts";
import { makeCertificate } from "./certificate.ts";
import { killOnExit } from "./kill-on-exit.ts";

/** Host name in the sample configurations. */
export const sampleHost = "rides.your-campus.example";

/** Folder and ports of a proxy, and the ports of the servers behind it. */
export type ProxyPlace = {
  folder: string;
  port: number;
  plainPort: number;
  upstreams: number[];
};

/** Starts nginx with the sample configuration and a self-signed certificate. */
export async function startNginx(
  { folder, port, plainPort, upstreams: [first, second] }: ProxyPlace,
  program = process.env.NGINX_PATH ?? "nginx",
): Promise<ChildProcess> {
  await makeCertificate(folder, sampleHost);
  const sample = await readFile(join(root, "examples/nginx/campus-ride.conf"), "utf8");
  const fitted = sample
    .replaceAll("/var/log/nginx/", `${folder}/logs/`)
    .replaceAll(`/etc/letsencrypt/live/${sampleHost}/`, `${folder}/`)
    .replace("server 127.0.0.1:3000", `server 127.0.0.1:${first}`)
    .replace("# server 127.0.0.1:3001", second ? `server 127.0.0.1:${second}` : "$&")
    .replace(/(listen )80\b/g, `$1${plainPort}`)
    .replace(/(listen )443\b/g, `$1${port}`)
    .replace(/.*\[::\].*\n/g, "");
  await mkdir(join(folder, "logs"));
  await writeFile(join(folder, "campus-ride.conf"), fitted);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join("\n");
  await writeFile(
    join(folder, "nginx.conf"),
    `daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    error_log ${folder}/logs/error.log;
    events {}
    http {
      access_log ${folder}/logs/access.log;
      ${temporary}
      include ${folder}/campus-ride.conf;
    }`,
  );
  return killOnExit(
    spawn(program, ["-p", folder, "-c", join(folder, "nginx.conf")], {
      stdio: "ignore",
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    }),
  );
}
