// Asks the server in this container whether its process runs. Exits with 1 if it doesn't answer.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/livez`).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
