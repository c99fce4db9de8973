/**
 * Programs behind the npm scripts that take arguments: a file, or a file for each part. For
 * example, `npm run store -- backup FOLDER` runs the part `backup` of `store` with the remaining
 * arguments.
 */
export const commands = {
  requests: "server/cli/requests.ts",
  operators: "server/cli/operators.ts",
  "account-system": "server/cli/account-system.ts",
  store: {
    backup: "server/cli/backup.ts",
    restore: "server/cli/restore.ts",
    ledger: "server/cli/ledger.ts",
    "move-data": "server/cli/move-data.ts",
  },
  seed: "server/cli/seed.ts",
  drill: "server/cli/drill.ts",
  campus: {
    new: "scripts/new-campus.ts",
    check: "vite/check-campus.ts",
    palette: "scripts/palette.ts",
    calendar: "server/cli/calendar.ts",
    translations: "scripts/translations.ts",
    ready: "scripts/ready.ts",
    update: "scripts/update-campus.ts",
    schemas: "scripts/write-schemas.ts",
  },
  statements: "scripts/statements.ts",
};

/** Commands that need a build, because they format emails with the built code. */
export const onBuild = new Set([commands.seed, commands.drill]);

export const withTestTools = new Set([commands.statements]);
