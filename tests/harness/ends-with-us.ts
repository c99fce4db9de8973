import type { ChildProcess } from "node:child_process";

/** A program that does not outlive this process, however that ends. */
export function endsWithUs<Child extends ChildProcess>(child: Child): Child {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
  return child;
}
