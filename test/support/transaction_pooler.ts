/**
 * A pooler in transaction mode, like PgBouncer's: a connection is lent for one transaction, and notices are
 * lost.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Client } from "pg";

export interface TransactionPooler {
  readonly url: string;
  close(): Promise<void>;
}

interface Backend {
  readonly client: Client;
  /** Receives each complete message of the server while the backend is lent. */
  receive: (message: Buffer) => void;
}

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
};

/** Splits incoming data into messages; the first message of a client has no type. */
function messages(take: (message: Buffer) => void, untyped = 0): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  let left = untyped;
  return (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const start = left > 0 ? 0 : 1;
      if (rest.length < start + 4) return;
      const length = start + rest.readUInt32BE(start);
      if (rest.length < length) return;
      if (left > 0) left -= 1;
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** The startup messages to a client: it is trusted, and the process number does not come from PostgreSQL. */
const welcome = Buffer.concat([
  message("R", Buffer.alloc(4)),
  message("S", Buffer.from("server_version\x0015.0\0")),
  message("S", Buffer.from("client_encoding\0UTF8\0")),
  message("K", Buffer.from([0, 0, 0, 1, 0, 0, 0, 2])),
  message("Z", Buffer.from("I")),
]);

/** Starts a pooler in front of the database at `url`, with `size` connections to it. */
export async function startTransactionPooler(url: string, size = 3): Promise<TransactionPooler> {
  const idle: Backend[] = [];
  const wanting: ((backend: Backend) => void)[] = [];
  const sockets = new Set<Socket>();
  const backends: Backend[] = [];
  for (let made = 0; made < size; made++) {
    const client = new Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    const backend: Backend = { client, receive: () => {} };
    const { stream } = client.connection;
    stream.removeAllListeners("data");
    stream.on(
      "data",
      messages((each) => backend.receive(each)),
    );
    backends.push(backend);
    idle.push(backend);
  }

  function giveBack(backend: Backend): void {
    backend.receive = () => {};
    const next = wanting.shift();
    if (next === undefined) idle.push(backend);
    else next(backend);
  }
  // Lends the backend that has been idle longest, so that the next transaction rarely gets the same one.
  const lend = (): Promise<Backend> =>
    new Promise((resolve) => {
      const backend = idle.shift();
      if (backend === undefined) wanting.push(resolve);
      else resolve(backend);
    });

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    let lent: Backend | undefined;
    let batch: Buffer[] = [];
    let last: Promise<void> = Promise.resolve();
    socket.on("close", () => {
      sockets.delete(socket);
      if (lent !== undefined) giveBack(lent);
    });

    /** Passes on one batch, until the `ReadyForQuery` that ends its answer. */
    async function pass(data: Buffer): Promise<void> {
      const backend = lent ?? (await lend());
      lent = backend;
      await new Promise<void>((resolve) => {
        backend.receive = (answer) => {
          if (answer[0] !== 0x41) socket.write(answer);
          if (answer[0] !== 0x5a) return;
          if (answer[5] === 0x49) {
            lent = undefined;
            giveBack(backend);
          }
          resolve();
        };
        backend.client.connection.stream.write(data);
      });
    }

    let started = false;
    socket.on(
      "data",
      messages((each) => {
        if (!started) {
          started = true;
          socket.write(welcome);
          return;
        }
        const type = String.fromCharCode(each[0] ?? 0);
        if (type === "X") return void socket.end();
        batch.push(each);
        if (type !== "Q" && type !== "S") return;
        const data = Buffer.concat(batch);
        batch = [];
        last = last.then(() => pass(data));
      }, 1),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      for (const { client } of backends) client.connection.stream.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
