import { existsSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/**
 * Returns the paths. Throws if one of the files doesn't exist, because Vitest ignores unknown paths
 * and would silently run fewer tests after a file was renamed.
 */
function existing(...paths: string[]): string[] {
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length > 0)
    throw new Error(`vitest.config.ts lists files that don't exist: ${missing.join(", ")}`);
  return paths;
}

/**
 * Tests that depend on rows, locks and commits, and therefore also run on PostgreSQL. For all other
 * statements, `tests/postgres/statements.test.ts` checks that PostgreSQL accepts and plans them. To
 * run every test on PostgreSQL: `npm run test:deep -- shelf`
 */
export const decidedByTheDatabase = existing(
  // The life cycle of requests (compared with a model), concurrent acts, retention and erasure.
  "server/deletion-requests/commands/state-machine-model.test.ts",
  "server/deletion-requests/commands/concurrent-acts.test.ts",
  "server/deletion-requests/self-service/submitting.test.ts",
  "server/deletion-requests/jobs/retention-jobs.test.ts",
  "server/deletion-requests/repository/erasing.test.ts",
  "server/deletion-requests/ledger/entries.test.ts",
  // Due dates, requests during a mail outage, and emails about a closed mailbox.
  "server/deletion-requests/jobs/promised-dates.test.ts",
  "server/deletion-requests/mails/mail-outage.test.ts",
  "server/deletion-requests/commands/closed-mailbox.test.ts",
  // Undo, and limits on the emails that strangers can trigger.
  "server/deletion-requests/commands/undo.test.ts",
  "server/deletion-requests/self-service/mail-per-mailbox.test.ts",
  // Exactly-once sending.
  "server/delivery/worker.test.ts",
  "tests/http/account-system-events.test.ts",
  // Concurrent identical calls.
  "server/account-system/inbound/take-answer.test.ts",
  // Sign-in, and the operator desk during absences.
  "server/team/sign-in/sign-in.test.ts",
  "server/team/roster/absences.test.ts",
  // The queue by due date.
  "server/operator-desk/desk-queries.test.ts",
  // Restored rows, and durability of acknowledged writes after a kill.
  "server/cli/restore.test.ts",
  "tests/http/account-system-restore.test.ts",
  "tests/faults/killed-server.test.ts",
  "tests/faults/storage-failures.test.ts",
);

/** Every test that uses the database. */
export const wholeShelf = {
  include: ["server/**/*.test.ts", "tests/{http,faults}/**/*.test.ts"],
  exclude: [
    ...existing(
      // Tests of SQLite. The tests of PostgreSQL are in tests/postgres.
      "server/platform/database",
      // Functions without a database.
      "server/platform/addresses",
      "server/platform/calendar",
      "server/platform/http",
      "server/platform/i18n",
    ).map((folder) => `${folder}/**`),
    ...existing(
      // A drill always uses its own SQLite file.
      "tests/http/drill.test.ts",
      // Functions without a database.
      "server/config.test.ts",
      "server/log.test.ts",
      "server/account-system/outbound/connection-check.test.ts",
      "server/deletion-requests/mails/mail-writer.test.ts",
      "server/deletion-requests/state-machine/checklist.test.ts",
      "server/deletion-requests/state-machine/reference.test.ts",
      "server/deletion-requests/state-machine/state-machine.test.ts",
      "server/deletion-requests/state-machine/submission.test.ts",
      "server/platform/crypto/keys.test.ts",
      "server/platform/crypto/sealed-file.test.ts",
      // Pages that are the same for everyone and execute no statements.
      "tests/http/blog.test.ts",
      "tests/http/pages.test.ts",
      "tests/http/undeclared-routes.test.ts",
    ),
  ],
};

type Project = NonNullable<TestProjectInlineConfiguration["test"]> & { name: string };

/**
 * Tests that check all declared statements. They run separately from tests that declare their own.
 */
const postgresStatements = existing(
  "tests/postgres/statements.test.ts",
  "tests/postgres/versions-side-by-side.test.ts",
);
const allStatementsTests = [...existing("tests/house/statements.test.ts"), ...postgresStatements];

const postgres = { globalSetup: "tests/harness/postgres-for-the-run.ts" };

/** Test projects by name, with their files. */
export const vitestProjects: Project[] = [
  {
    name: "unit",
    include: ["{app,campus-reader,scripts,server,vite}/**/*.test.ts", "tests/house/**/*.test.ts"],
    exclude: allStatementsTests,
  },
  { name: "unit-statements", include: ["tests/house/statements.test.ts"], isolate: true },
  { name: "site", include: ["tests/{http,processes,faults}/**/*.test.ts"] },
  // Tests that need PostgreSQL.
  {
    name: "postgres",
    include: ["tests/postgres/**/*.test.ts"],
    exclude: allStatementsTests,
    ...postgres,
  },
  {
    name: "postgres-statements",
    include: postgresStatements,
    isolate: true,
    ...postgres,
  },
  {
    name: "on-postgres",
    ...(process.env.SHELF === "whole" ? wholeShelf : { include: decidedByTheDatabase }),
    env: { TEST_DATABASE: "postgres" },
    ...postgres,
  },
  // Tests that fit any campus. They run on the campus in CAMPUS_DIR.
  {
    name: "campus",
    include: [
      ...existing(
        "tests/http/addresses.test.ts",
        "tests/http/blog.test.ts",
        "tests/http/files.test.ts",
        "tests/http/pages.test.ts",
        "tests/http/operators/closed-mailbox.test.ts",
      ),
      "tests/other-campus/**/*.test.ts",
    ],
  },
  // Too slow for every change: `npm run test:deep -- fleet`.
  { name: "fleet", include: ["tests/fleet/**/*.test.ts"], ...postgres },
  // Needs Caddy, nginx and Varnish: `npm run test:deep -- proxies`.
  { name: "proxies", include: ["tests/proxies/**/*.test.ts"], ...postgres },
  // Builds the last release: `npm run test:deep -- upgrade`.
  { name: "upgrade", include: ["tests/upgrade/**/*.test.ts"] },
  // Builds the container image: `npm run test:deep -- image`.
  { name: "image", include: ["tests/image/**/*.test.ts"], ...postgres },
  // Builds a new campus: `npm run test:deep -- evening`.
  { name: "evening", include: ["tests/evening/**/*.test.ts"] },
  // Measures time, so it runs alone after the other projects.
  { name: "abuse", include: ["tests/abuse/**/*.test.ts"] },
  // Needs browsers that `npm run test:deep -- engines` finds or installs.
  { name: "engines", include: ["tests/engines/**/*.test.ts"] },
];

// Unit tests are next to the code. `tests/` contains tests that need the entire site, a process, or
// every source file.
export default defineConfig({
  test: {
    maxWorkers: 2,
    // Tests can share modules, because a module's only state is the list of statements. Loading the
    // site and the campus again for each file would take longer than its tests.
    isolate: false,
    // Even on a busy machine, only a hanging test takes this long.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    restoreMocks: true,
    // Set explicitly, because the default depends on CI, and a stray `test.only` must never skip the
    // other tests.
    allowOnly: false,
    setupFiles: ["tests/harness/quiet-console.ts", "tests/harness/temporal-equality.ts"],
    // Load the built site without transforming it.
    server: { deps: { external: [/[\\/]\.builds[\\/]/] } },
    projects: vitestProjects.map((test) => ({ extends: true, test })),
  },
});
