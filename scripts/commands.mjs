/**
 * What the npm scripts run that have parts or words of their own: a file, or a file for each part. `npm run store -- backup
 * FOLDER` runs the part `backup` of `store` with what follows; the part "" runs where none is named.
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
  drill: "server/command-line/drill.ts",
  campus: {
    new: "scripts/new-campus.ts",
    check: "vite/check-campus.ts",
    calendar: "server/command-line/calendar.ts",
    translations: "scripts/translations.ts",
    screenshots: "scripts/screenshots.ts",
    ready: "scripts/ready.ts",
  },
  statements: "scripts/statements.ts",
};

/** Those that take what is built: mails are made from it. */
export const onBuild = new Set([commands.drill]);

/** Those that take what is installed for tests. */
export const withTestTools = new Set([commands.campus.screenshots, commands.statements]);
