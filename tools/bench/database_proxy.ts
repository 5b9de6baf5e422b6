/**
 * Counts the traffic between a server and PostgreSQL: a proxy on loopback that parses the server's
 * messages.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Passed {
  /** Number of times that Postern sent something after a response of PostgreSQL, over all connections. */
  readonly round_trips: number;
  /** Executed statements, including those that begin and end transactions. */
  readonly statements: number;
  readonly bytes_out: number;
  readonly bytes_in: number;
}

export interface DatabaseProxy extends AsyncDisposable {
  /** Returns the address of a database through the proxy. */
  through(url: string): string;
  /** Returns the traffic so far. */
  passed(): Passed;
}

/** Types of the messages Execute and Query of PostgreSQL's protocol. */
const executing = new Set(["E".charCodeAt(0), "Q".charCodeAt(0)]);
const headBytes = 5;

/** Returns a function that counts the messages in a connection's bytes. The first message has no type. */
function statementCounter(): (chunk: Buffer) => number {
  let waiting: Buffer = Buffer.alloc(0);
  let started = false;
  return (chunk) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    let statements = 0;
    for (;;) {
      const typed = started ? 1 : 0;
      if (waiting.length < headBytes) return statements;
      const length = waiting.readUInt32BE(typed) + typed;
      if (waiting.length < length) return statements;
      if (started && executing.has(waiting[0] ?? 0)) statements += 1;
      started = true;
      waiting = waiting.subarray(length);
    }
  };
}

/** Starts a proxy to the PostgreSQL at this address. Connections to the proxy are without TLS. */
export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(target);
  const counts = { round_trips: 0, statements: 0, bytes_out: 0, bytes_in: 0 };
  const open = new Set<Socket>();
  const proxy = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true });
    const count = statementCounter();
    let answered = true;
    near.on("data", (chunk: Buffer) => {
      counts.bytes_out += chunk.length;
      counts.statements += count(chunk);
      if (answered) counts.round_trips += 1;
      answered = false;
      far.write(chunk);
    });
    far.on("data", (chunk: Buffer) => {
      counts.bytes_in += chunk.length;
      answered = true;
      near.write(chunk);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  proxy.listen({ host: "127.0.0.1", port: 0 });
  await once(proxy, "listening");
  const here = (proxy.address() as AddressInfo).port;
  return {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${here}` }).href,
    passed: () => ({ ...counts }),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
