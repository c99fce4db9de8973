/**
 * Programs of the npm scripts that take arguments: a file, or a file for each part. `npm run store
 * -- backup FOLDER` runs the part `backup` of `store` with the remaining arguments. The part "" is
 * the default.
 */
export const commands = {
  requests: "server/command-line/requests.ts",
  operators: "server/command-line/operators.ts",
  "account-system": "server/command-line/account-system.ts",
  store: {
    backup: "server/command-line/backup.ts",
    restore: "server/command-line/restore.ts",
    ledger: "server/command-line/ledger.ts",
    "move-data": "server/command-line/move-data.ts",
  },
  seed: "server/command-line/seed.ts",
  drill: "server/command-line/drill.ts",
  campus: {
    new: "scripts/new-campus.ts",
    check: "vite/check-campus.ts",
    palette: "scripts/palette.ts",
    calendar: "server/command-line/calendar.ts",
    translations: "scripts/translations.ts",
    ready: "scripts/ready.ts",
  },
  statements: "scripts/statements.ts",
};

/** Commands that need a build, because they format emails with it. */
export const onBuild = new Set([commands.seed, commands.drill]);

/** Commands that need the test tools. */
export const withTestTools = new Set([commands.statements]);
