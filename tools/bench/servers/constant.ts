/**
 * A `node:http` server that returns the same 200 bytes for every request: the limit of the load generator
 * and of any server on Node. It reports its address in the same format as Postern.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const body = Buffer.from(JSON.stringify({ constant: "x".repeat(185) }));

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ msg: "listening", url: `http://127.0.0.1:${port}` })}\n`);
});
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
