// A mail server without TLS that appends every email to a file. Usage: node mail-server.mjs PORT
// FILE
import { appendFileSync } from "node:fs";
import { createServer } from "node:net";

const [port, file] = process.argv.slice(2);
createServer((socket) => {
  let isText = false;
  let received = "";
  socket.on("error", () => {});
  socket.write("220 mail server\r\n");
  socket.setEncoding("latin1").on("data", (chunk) => {
    received += chunk;
    for (;;) {
      const end = received.indexOf(isText ? "\r\n.\r\n" : "\r\n");
      if (end < 0) return;
      const line = received.slice(0, end);
      received = received.slice(end + (isText ? 5 : 2));
      if (isText) appendFileSync(file, `${line}\n\n`);
      isText = !isText && line.toUpperCase() === "DATA";
      socket.write(isText ? "354 send it\r\n" : "250 ok\r\n");
    }
  });
}).listen(Number(port), "127.0.0.1");
