import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { maxHeaderSize } from "./http_server.ts";

/**
 * Milliseconds until a refused connection is destroyed. An immediate close would reset a connection with
 * unread bytes, and the response would be lost (RFC 9112, section 9.6).
 */
const longestReading = 1000;

/** All other errors are malformed messages with status 400, except an unknown method (H-3). */
const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The response body for a message that is not a request (RFC 9112). */
export const malformed = { error: "invalid_request", error_description: "the HTTP message is malformed" };

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/**
 * Answers a message that never became a request, and closes its connection. `methodsAt` returns the methods
 * of a path; undefined if the path does not exist.
 */
export function refuseConnection(
  { code, rawPacket }: ParserError,
  socket: Socket,
  methodsAt?: (path: string) => readonly string[] | undefined,
): void {
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isMethod = code === "HPE_INVALID_METHOD" && methodsAt !== undefined;
  const path = isMethod ? pathOfUnknownMethod(rawPacket) : undefined;
  const allowed = path === undefined ? undefined : methodsAt?.(path);
  const status = path === undefined ? (statusOf[code ?? ""] ?? 400) : allowed === undefined ? 404 : 405;
  const descriptions: Readonly<Record<number, string | undefined>> = {
    404: "no endpoint exists at this URL",
    405: "the method is not allowed here",
    408: "the request did not arrive in time",
    431: `the request line and headers together are longer than ${maxHeaderSize} bytes`,
  };
  const description = descriptions[status];
  const body = JSON.stringify(
    description === undefined ? malformed : { ...malformed, error_description: description },
  );
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...(allowed === undefined ? [] : [`Allow: ${allowed.join(", ")}`]),
    "Content-Type: application/json",
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // A caller that never closes its side would keep the socket open forever (H-3).
  const closing = setTimeout(() => socket.destroy(), longestReading).unref();
  socket.once("close", () => clearTimeout(closing));
}

/**
 * Returns the path of a request line (RFC 9112, section 3) that is valid except for an unregistered method.
 */
function pathOfUnknownMethod(packet: unknown): string | undefined {
  const start = Buffer.isBuffer(packet) ? packet.subarray(0, 8192).toString("latin1") : "";
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64} (\/[^\s?#]*)\S* HTTP\/1\.[01]\r\n/.exec(start)?.[1];
}
