// Health check: queries the server in this container, and exits with 1 if it doesn't respond.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/livez`).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
