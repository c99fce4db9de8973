/**
 * What the npm scripts run that have parts or words of their own: a file, or a file for each part. `npm run store -- backup
 * FOLDER` runs the part `backup` of `store` with what follows.
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
  weight: {
    lines: "scripts/weight.ts",
    rooms: "scripts/rooms.ts",
    statements: "scripts/statements.ts",
  },
};

/** Of these the mails are made from what is built. */
export const needsBuild = new Set(["drill"]);
