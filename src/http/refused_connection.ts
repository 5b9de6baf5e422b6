import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/** What the HTTP parser refuses, by Node's error code; everything else is a malformed message (requirements H-3). */
const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers a message that never became a request, and closes its connection. */
export function refuseConnection({ code }: Error & { code?: string }, socket: Socket): void {
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statusOf[code ?? ""] ?? 400;
  const body = JSON.stringify({
    error: "invalid_request",
    error_description: "the HTTP message is malformed",
  });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
