import { attacks } from "./attacks.ts";
import { createClient, type Target } from "./client.ts";

/** Runs one attack in a separate process: `attacker.ts NAME TARGET`. */
const [name, target = ""] = process.argv.slice(2);
const attack = attacks.find((candidate) => candidate.name === name);
if (!attack) throw new Error(`Unknown attack "${name}"`);
await attack.strike(createClient(JSON.parse(target) as Target));
process.exit();
