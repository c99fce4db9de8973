import { existsSync, readFileSync, writeSync } from "node:fs";

/**
 * Loaded before a program whose memory is measured: it tells the most it took, in kilobytes, when it ends. Where there
 * is `/proc` it knows better: a program's own count begins with what the one that started it had.
 */
process.on("exit", () => {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const peak = /VmHWM:\s+(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  writeSync(2, `peak ${peak}`);
});
