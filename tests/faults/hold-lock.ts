// Holds the lock of the database in the data folder that is named, says so, and lets go when its input ends.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const [dataDir = ""] = process.argv.slice(2);
const sqlite = new DatabaseSync(join(dataDir, "requests.sqlite"), { timeout: 30_000 });
sqlite.exec("begin immediate");
process.stdout.write("locked\n");
process.stdin.resume();
process.stdin.on("end", () => {
  sqlite.exec("rollback");
  sqlite.close();
});
