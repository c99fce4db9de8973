import type { ChildProcess } from "node:child_process";

export function killOnExit<Child extends ChildProcess>(child: Child): Child {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
  return child;
}
