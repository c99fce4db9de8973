import { defineConfig } from "vitest/config";
import { frozen } from "./tests/default-campus/build-frozen.ts";

/** The built site is what is tested, so it is loaded as it is. */
const built = /[\\/]\.builds[\\/]/;

/**
 * Every test of the server, of its pages and of its faults once more, on PostgreSQL, where `--project=on-postgres` asks for
 * them. What is left out asks no database for anything, or is about the file itself, and says so here.
 */
const shelfOnPostgres = {
  extends: true as const,
  test: {
    name: "on-postgres",
    env: { TEST_DATABASE: "postgres" },
    retry: 0,
    include: ["server/**/*.test.ts", "tests/{http,faults}/**/*.test.ts"],
    exclude: [
      // The file's own: tests/postgres has PostgreSQL's.
      "server/database/**",
      // A drill is in a file of its own, whatever the site is on.
      "tests/http/drill.test.ts",
      // Functions without a store.
      "server/{addresses,calendar,http,language,mail}/**",
      "server/{config,log}.test.ts",
      "server/account-system/checking.test.ts",
      "server/deletion-requests/{calendar-file,life,mail-writer,reference,submission}.test.ts",
      "server/keys/{keys,sealed-file}.test.ts",
      // Pages that are the same for everybody: no statement is asked for them.
      "tests/http/{blog,budgets,declared,frame}.test.ts",
    ],
    globalSetup: ["tests/harness/postgres-for-the-run.ts"],
    server: { deps: { external: [built] } },
  },
};

// Unit tests stand beside the code; `tests/` holds those that need the whole site, a process, or every file at once.
export default defineConfig({
  test: {
    maxWorkers: 2,
    // For what hangs. A machine that is slow or busy is no reason to fail.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    setupFiles: ["tests/harness/quiet-console.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{app,campus,scripts,server,vite}/**/*.test.ts", "tests/house/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "site",
          // Nothing is tried twice within a run; scripts/test.mjs says which files CI may try again.
          retry: 0,
          include: ["tests/{http,processes,faults}/**/*.test.ts"],
          server: { deps: { external: [built] } },
        },
      },
      {
        extends: true,
        test: {
          // What the specification says of the first campus, on a copy that nobody edits.
          name: "default-campus",
          retry: 0,
          include: ["tests/default-campus/**/*.test.ts"],
          env: frozen,
          globalSetup: "tests/default-campus/build-frozen.ts",
          server: { deps: { external: [built] } },
        },
      },
      {
        extends: true,
        test: {
          // What there is on PostgreSQL alone; the setup brings the server.
          name: "postgres",
          retry: 0,
          include: ["tests/postgres/**/*.test.ts"],
          globalSetup: ["tests/harness/postgres-for-the-run.ts"],
          server: { deps: { external: [built] } },
        },
      },
      ...(process.argv.includes("--project=on-postgres") ? [shelfOnPostgres] : []),
      {
        extends: true,
        test: {
          // What holds for any campus: the one that CAMPUS_DIR names.
          name: "campus",
          retry: 0,
          include: [
            "tests/http/{addresses,blog,budgets,files,frame,headers,letters,markup}.test.ts",
            "tests/http/operators/closed-mailbox.test.ts",
            "tests/house/contrast.test.ts",
            "tests/other-campus/**/*.test.{ts,tsx}",
          ],
          server: { deps: { external: [built] } },
        },
      },
      {
        extends: true,
        test: {
          // Measures time: runs alone, after the others.
          name: "siege",
          include: ["tests/siege/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          // Needs browsers that `npm run test:engines` finds or installs.
          name: "engines",
          include: ["tests/engines/**/*.test.ts"],
          server: { deps: { external: [built] } },
        },
      },
    ],
  },
});
