import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/**
 * What rows, locks and commits decide, once more on PostgreSQL. Of every other statement `tests/postgres/statements.test.ts`
 * asks whether PostgreSQL takes it and how it goes about it, and `npm run test:deep -- shelf` runs every test there.
 */
export const decidedByTheDatabase = [
  // The life of a request against a model, alone and at once; what ends it, what is told of that, what stays of it.
  "server/deletion-requests/*/{life-model,life-at-once,submitting,mail-per-mailbox,retention-jobs}.test.ts",
  "server/deletion-requests/*/{erasing,chain}.test.ts",
  // What was promised by a day, what waits while no mail leaves, and who hears of a mailbox that is closed.
  "server/deletion-requests/*/{promised-dates,mail-outage,closed-mailbox}.test.ts",
  // What an undo gives back, and how many emails strangers cause.
  "server/deletion-requests/*/{taking-back,mail-per-mailbox}.test.ts",
  // Who sends what, once.
  "server/outbox/worker.test.ts",
  "tests/http/account-system-events.test.ts",
  // Which of two equal calls is heard.
  "server/account-system/answering.test.ts",
  // Who may come in, and act while somebody is away; who acts first is life-at-once's.
  "server/{sign-in/sign-in,operators/absences}.test.ts",
  // What is due, by its date.
  "server/operator-desk/operator-desk.test.ts",
  // Rows that are put back into a store, and what was acknowledged before a kill.
  "server/command-line/restore.test.ts",
  "tests/http/account-system-restore.test.ts",
  "tests/faults/{killed-server,store-in-danger}.test.ts",
];

/** Every test that asks the database for anything. */
export const wholeShelf = {
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
    "server/deletion-requests/*/{checklist,life,mail-writer,reference,submission}.test.ts",
    "server/keys/{keys,sealed-file}.test.ts",
    // Pages that are the same for everybody: no statement is asked for them.
    "tests/http/{blog,declared,pages}.test.ts",
  ],
};

type Project = NonNullable<TestProjectInlineConfiguration["test"]> & { name: string };

/** Whatever declares a statement is heard of by these: they run apart from tests that declare some of their own. */
const askedOfAllStatements = [
  "tests/house/statements.test.ts",
  "tests/postgres/{statements,versions-side-by-side}.test.ts",
];

const postgres = { globalSetup: "tests/harness/postgres-for-the-run.ts" };

/** By name, with their files. */
export const vitestProjects: Project[] = [
  {
    name: "unit",
    include: ["{app,campus-reader,scripts,server,vite}/**/*.test.ts", "tests/house/**/*.test.ts"],
    exclude: askedOfAllStatements,
  },
  { name: "unit-statements", include: ["tests/house/statements.test.ts"], isolate: true },
  { name: "site", include: ["tests/{default-campus,http,processes,faults}/**/*.test.ts"] },
  // What there is on PostgreSQL alone.
  {
    name: "postgres",
    include: ["tests/postgres/**/*.test.ts"],
    exclude: askedOfAllStatements,
    ...postgres,
  },
  {
    name: "postgres-statements",
    include: ["tests/postgres/{statements,versions-side-by-side}.test.ts"],
    isolate: true,
    ...postgres,
  },
  {
    name: "on-postgres",
    ...(process.env.SHELF === "whole" ? wholeShelf : { include: decidedByTheDatabase }),
    env: { TEST_DATABASE: "postgres" },
    ...postgres,
  },
  // What holds for any campus: the one that CAMPUS_DIR names.
  {
    name: "campus",
    include: [
      "tests/http/{addresses,blog,files,pages}.test.ts",
      "tests/http/operators/closed-mailbox.test.ts",
      "tests/other-campus/**/*.test.ts",
    ],
  },
  // Takes too long for every change: `npm run test:deep -- fleet`.
  { name: "fleet", include: ["tests/fleet/**/*.test.ts"], ...postgres },
  // Builds a campus of its own: `npm run test:deep -- evening`.
  { name: "evening", include: ["tests/evening/**/*.test.ts"] },
  // Measures time: runs alone, after the others.
  { name: "abuse", include: ["tests/abuse/**/*.test.ts"] },
  // Needs browsers that `npm run test:deep -- engines` finds or installs.
  { name: "engines", include: ["tests/engines/**/*.test.ts"] },
];

// Unit tests stand beside the code; `tests/` holds those that need the whole site, a process, or every file at once.
export default defineConfig({
  test: {
    maxWorkers: 2,
    // No module keeps what a test did but for the list of statements, and loading site and campus takes a file longer than its tests do.
    isolate: false,
    // For what hangs. A machine that is slow or busy is no reason to fail.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    restoreMocks: true,
    // With CI=1 and without it the same: one test alone is nobody's run.
    allowOnly: false,
    setupFiles: ["tests/harness/quiet-console.ts", "tests/harness/same-moment.ts"],
    // The built site is what is tested, so it is loaded as it is.
    server: { deps: { external: [/[\\/]\.builds[\\/]/] } },
    projects: vitestProjects.map((test) => ({ extends: true, test })),
  },
});
