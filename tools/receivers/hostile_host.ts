/**
 * A process with the misbehaving receivers. It has the lowest priority, because real receivers run on
 * other machines: their floods must not take processor time from the server or the drill's clock.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setPriority } from "node:os";

/** Writes the text repeatedly, as fast as the other side reads. */
function flood(socket: Socket, start: string, again: string): void {
  const more = again.repeat(Math.ceil(65_536 / again.length));
  const write = () => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on("drain", write);
  socket.write(start);
  write();
}

/** The behavior of a receiver, by the path of its endpoint. */
const misbehaviours: Readonly<Record<string, (socket: Socket, path: string) => void>> = {
  hang: () => {},
  trickle: (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nx-slow: ");
    const timer = setInterval(() => socket.write("x"), 1);
    socket.once("close", () => clearInterval(timer));
  },
  flood: (socket) => flood(socket, "HTTP/1.1 500 Failed\r\n\r\n", "x"),
  headers: (socket) => flood(socket, "HTTP/1.1 200 OK\r\n", "a: b\r\n"),
  interim: (socket) => flood(socket, "", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"),
  lie: (socket) =>
    void socket.end("HTTP/1.1 503 Busy\r\ncontent-encoding: gzip\r\ncontent-length: 9999\r\n\r\nno gzip"),
  redirect: (socket, path) =>
    void socket.end(`HTTP/1.1 307 Moved\r\nlocation: ${path}\r\ncontent-length: 0\r\n\r\n`),
};

export const misbehaving: readonly string[] = Object.keys(misbehaviours);

export interface Report {
  readonly port: number;
  /** Number of requests by path. */
  readonly received: Readonly<Record<string, number>>;
}

if (process.send !== undefined) {
  setPriority(19);
  const received: Record<string, number> = {};
  const sockets = new Set<Socket>();
  /** If true, all receivers respond 204 instead of misbehaving. */
  let kind = true;
  const host = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    socket.once("data", (chunk) => {
      const path = /^POST \/(\w+) /.exec(chunk.toString("latin1"))?.[1] ?? "";
      received[path] = (received[path] ?? 0) + 1;
      if (kind) socket.end("HTTP/1.1 204 No Content\r\n\r\n");
      else misbehaviours[path]?.(socket, `/${path}`);
    });
  }).listen(0, "127.0.0.1");
  await once(host, "listening");
  const report = () =>
    process.send?.({ port: (host.address() as AddressInfo).port, received } satisfies Report);
  process.on("message", (hostile: boolean) => {
    kind = !hostile;
    for (const socket of sockets) socket.destroy();
    report();
  });
  report();
}
