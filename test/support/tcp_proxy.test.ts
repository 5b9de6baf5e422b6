import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startTcpProxy, withoutMessages } from "./tcp_proxy.ts";

const endings: (() => unknown)[] = [];
after(async () => {
  for (const end of endings.reverse()) await end();
});

/** A server that echoes its input, behind a proxy. */
async function echoBehindProxy(options: Partial<Parameters<typeof startTcpProxy>[0]> = {}) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const proxy = await startTcpProxy({ target: { host: "127.0.0.1", port }, ...options });
  endings.push(
    () => server.close(),
    () => {
      for (const socket of sockets) socket.destroy();
    },
    () => proxy.close(),
  );
  return proxy;
}

async function client(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  endings.push(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

async function echo(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [data] = await once(socket, "data");
  return String(data);
}

const nothing = async (socket: Socket) =>
  Promise.race([once(socket, "data").then(() => "data"), wait(150).then(() => "nothing")]);

test("a proxy forwards data, stalls without loss, and resumes", async () => {
  const proxy = await echoBehindProxy();
  const socket = await client(proxy.port);
  assert.equal(await echo(socket, "one"), "one");
  proxy.stall();
  socket.write("two");
  assert.equal(await nothing(socket), "nothing");
  const data = once(socket, "data");
  proxy.resume();
  assert.equal(String((await data)[0]), "two");
});

test("a proxy cuts open connections, refuses new ones, and accepts them again", async () => {
  const proxy = await echoBehindProxy();
  const socket = await client(proxy.port);
  await echo(socket, "one");
  const broken = once(socket, "error");
  proxy.cut();
  assert.equal(((await broken)[0] as NodeJS.ErrnoException).code, "ECONNRESET");
  proxy.refuse();
  const refused = connect(proxy.port, "127.0.0.1");
  assert.equal(((await once(refused, "error"))[0] as NodeJS.ErrnoException).code, "ECONNRESET");
  proxy.accept();
  assert.equal(await echo(await client(proxy.port), "two"), "two");
});

test("a connection in a black hole stays open and silent; a new one works", async () => {
  const proxy = await echoBehindProxy();
  const socket = await client(proxy.port);
  await echo(socket, "one");
  let ended = false;
  socket.on("close", () => {
    ended = true;
  });
  proxy.blackhole();
  socket.write("two");
  assert.equal(await nothing(socket), "nothing");
  assert.equal(ended, false);
  assert.equal(await echo(await client(proxy.port), "three"), "three");
});

test("a filter drops the messages of one type, however they are fragmented", async () => {
  const message = (type: string, text: string) => {
    const body = Buffer.from(text);
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeUInt32BE(4 + body.length, 1);
    return Buffer.concat([head, body]);
  };
  const stream = Buffer.concat([message("D", "row"), message("A", "notice"), message("Z", "I")]);
  for (let cut = 0; cut <= stream.length; cut++) {
    const filter = withoutMessages("A");
    const passed = [stream.subarray(0, cut), stream.subarray(cut)].map(
      (part) => filter(part) ?? Buffer.alloc(0),
    );
    assert.deepEqual(Buffer.concat(passed), Buffer.concat([message("D", "row"), message("Z", "I")]));
  }
});
