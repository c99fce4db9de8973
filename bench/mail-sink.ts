import { type AddressInfo, createServer } from "node:net";

/**
 * An SMTP server that accepts and discards every email, with as little overhead as possible.
 * Answers each message from the parent process with the number of emails so far.
 */
let emails = 0;
const server = createServer((socket) => {
  let isData = false;
  let received = "";
  socket.setNoDelay(true).on("error", () => {});
  socket.write("220 sink\r\n");
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
    for (;;) {
      const end = received.indexOf(isData ? "\r\n.\r\n" : "\r\n");
      if (end < 0) return;
      const line = isData ? "" : received.slice(0, end).toUpperCase();
      received = received.slice(end + (isData ? 5 : 2));
      if (isData) emails++;
      const begins = line === "DATA";
      isData = begins;
      socket.write(begins ? "354 go on\r\n" : line === "QUIT" ? "221 bye\r\n" : "250 ok\r\n");
    }
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("message", () => process.send?.(emails));
process.on("disconnect", () => process.exit());
