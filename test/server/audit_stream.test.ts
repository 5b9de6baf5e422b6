import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";
import { syslogMessage } from "../../src/ops/audit_lines.ts";
import { sendSyslog } from "../../src/outbound/syslog.ts";
import { appendLines } from "../../src/server/audit/audit_file.ts";
import { auditSinks, auditStream } from "../../src/server/audit/audit_stream.ts";
import type { Store } from "../../src/storage/store.ts";
import { atEnd } from "../support/at_end.ts";
import { anEvent, later, start } from "../support/builders.ts";
import { databases, openStoreAt, removeEverything } from "../support/databases.ts";
import { column } from "../support/lists.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";

const log = { warn() {} };
const none = { audit_file: undefined, audit_syslog: undefined };

/** Starts a syslog server for connections with octet-counted messages, which it can refuse. */
async function syslogServer() {
  const messages: string[] = [];
  const state = { refusing: false };
  const server = createServer(async (socket) => {
    if (state.refusing) return void socket.resetAndDestroy();
    const chunks: Buffer[] = [];
    socket.on("error", () => {});
    for await (const chunk of socket) chunks.push(chunk);
    let rest = Buffer.concat(chunks);
    while (rest.length > 0) {
      const space = rest.indexOf(" ");
      const length = Number(rest.subarray(0, space));
      messages.push(rest.subarray(space + 1, space + 1 + length).toString());
      rest = rest.subarray(space + 1 + length);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => void server.close());
  const address = {
    transport: "tcp",
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
  } as const;
  return { address, messages, state };
}

for (const database of databases)
  describe(`the export of audit events on ${database.name}`, () => {
    let store: Store;
    let path: string;
    before(async () => {
      const streams = { audit_streams: ["audit_file", "audit_syslog"] } as const;
      store = await database.open(streams);
    });
    beforeEach(async () => {
      await removeEverything(store);
      path = join(temporaryFolder(), "audit.jsonl");
    });
    const streamTo = (
      overrides: Partial<Parameters<typeof auditSinks>[0]>,
      now = () => start,
      holder?: string,
    ) => {
      const sinks = auditSinks({ ...none, ...overrides }, "id.example");
      return auditStream({ store, sinks, log, now, ...(holder && { holder }) });
    };
    const written = (file = path) =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const idsIn = async () => (await store.list("audit_events")).map(({ id }) => id);

    test("every event is exported once and in order, whichever part wrote it, earlier ones first", async () => {
      await anEvent(store, { type: "app.created", details: { name: "Käthe\n" } });
      await store.transaction((tx) => anEvent({ ...store, ...tx } as Store, { type: "app.updated" }));
      const { id: _, ...noted } = await anEvent(store, { type: "app.deleted" });
      store.queueEvent({ ...noted, type: "sign_in" });
      await store.flushEvents();
      const stream = streamTo({ audit_file: path });
      await stream.pass();
      await stream.pass();
      const lines = written();
      assert.deepEqual(column(lines, "id"), await idsIn());
      assert.deepEqual(lines.map(({ type }) => type).toSorted(), [
        ...["app.created", "app.deleted", "app.updated", "sign_in"],
      ]);
      assert.equal(lines.find(({ type }) => type === "app.created")?.details.name, "Käthe\n");
      assert.match(readFileSync(path, "latin1"), /^[ -~\n]+$/);
      assert.equal(statSync(path).mode & 0o777, 0o600);
    });

    test("an event that was rolled back is not exported", async () => {
      const failing = store.transaction(async (tx) => {
        await anEvent({ ...store, ...tx } as Store);
        throw new Error("undone");
      });
      await assert.rejects(failing, /undone/);
      assert.deepEqual((await store.waitingEvents("audit_file", 9)).marks, []);
    });

    test("while a receiver is unavailable no event is lost, and other exports continue", async () => {
      const { address, messages, state } = await syslogServer();
      const stream = streamTo({ audit_file: path, audit_syslog: address });
      state.refusing = true;
      for (let made = 0; made < 3; made++) await anEvent(store);
      await stream.pass();
      assert.equal(written().length, 3);
      assert.equal(messages.length, 0);
      state.refusing = false;
      // Another process continues, as after a restart.
      await stream.close(60_000);
      await anEvent(store);
      await streamTo({ audit_syslog: address }).pass();
      const ids = messages.map((message) => /\[postern@32473 id="([^"]+)"/.exec(message)?.[1]);
      assert.deepEqual(ids.toSorted(), (await idsIn()).toSorted());
    });

    test("a receiver that never confirms events does not delay other exports", async () => {
      const sockets = new Set<Socket>();
      const server = createServer((socket) => void sockets.add(socket.resume())).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const stream = streamTo({
        audit_file: path,
        audit_syslog: { transport: "tcp", host: "127.0.0.1", port },
      });
      await anEvent(store);
      const under_way = stream.pass();
      await until(() => sockets.size > 0);
      await anEvent(store);
      await stream.passes[0]?.();
      assert.equal(written().length, 2);
      for (const socket of sockets) socket.destroy();
      server.close();
      await under_way;
    });

    test("more events than one batch are exported in one pass", async () => {
      for (let made = 0; made < 450; made++)
        store.queueEvent({ ...(await eventParts()), created_at: later(made) });
      await store.flushEvents();
      await streamTo({ audit_file: path }).pass();
      assert.deepEqual(column(written(), "id"), await idsIn());
      assert.equal(written().length, 450);
    });

    test("only one process exports at a time, until it ends or has been inactive for half a minute", async () => {
      const [first, second] = [streamTo({ audit_file: path }), streamTo({ audit_file: `${path}.other` })];
      await anEvent(store);
      await first.pass();
      await anEvent(store);
      await second.pass();
      assert.throws(() => written(`${path}.other`), { code: "ENOENT" });
      await streamTo({ audit_file: `${path}.third` }, () => later(29)).pass();
      assert.throws(() => written(`${path}.third`), { code: "ENOENT" });
      await streamTo({ audit_file: `${path}.third` }, () => later(31)).pass();
      assert.equal(written(`${path}.third`).length, 1);
      // The process whose clock was ahead does not block the others.
      await anEvent(store);
      await second.pass();
      assert.equal(written(`${path}.other`).length, 1);
      await second.close(60_000);
      await anEvent(store);
      await first.pass();
      assert.equal(written().length, 2);
    });

    test("a renamed file is no longer written, and events wait while the file cannot be written", async () => {
      const stream = streamTo({ audit_file: path });
      await anEvent(store);
      await stream.pass();
      renameSync(path, `${path}.1`);
      await anEvent(store);
      await stream.pass();
      assert.equal(written(`${path}.1`).length, 1);
      assert.equal(written().length, 1);
      await anEvent(store);
      await streamTo({ audit_file: join(path, "below a file") }, () => later(60)).pass();
      assert.equal((await store.waitingEvents("audit_file", 9)).marks.length, 1);
    });

    test("a partial line from a crash damages no later event, and only a regular file is accepted", async () => {
      const stream = streamTo({ audit_file: path });
      writeFileSync(path, '{"id":"half');
      await anEvent(store);
      await stream.pass();
      const [half, event = ""] = readFileSync(path, "utf8").trimEnd().split("\n");
      assert.deepEqual([half, typeof JSON.parse(event).id], ['{"id":"half', "string"]);
      assert.throws(() => appendLines("/dev/null", ["x"]), /not a regular file/);
    });

    test("a file that cannot be written is reported at startup, before any event", () => {
      const reported: unknown[] = [];
      const stream = (audit_file: string) => {
        const sinks = auditSinks({ ...none, audit_file }, "id.example");
        auditStream({
          store,
          sinks,
          log: { warn: (fields) => void reported.push(fields) },
          now: () => start,
        });
      };
      stream(path);
      assert.equal(reported.length, 0);
      stream(join(temporaryFolder(), "missing", "audit.jsonl"));
      assert.equal((reported[0] as { err: { code: string } }).err.code, "ENOENT");
    });

    async function eventParts() {
      const { id: _, ...parts } = eventTemplate;
      return parts;
    }
    let eventTemplate: Awaited<ReturnType<typeof anEvent>>;
    before(async () => {
      eventTemplate = await anEvent(store, { outcome: "success" });
    });
  });

for (const database of databases)
  test(`on ${database.name} events of a command are exported if a server exports events, or did before`, async () => {
    const address = await database.tables();
    const path = join(temporaryFolder(), "audit.jsonl");
    const sinks = auditSinks({ ...none, audit_file: path }, "id.example");
    const server = await openStoreAt(address, { audit_streams: ["audit_file"] });
    const stream = auditStream({ store: server, sinks, log, now: () => start });
    const command = async (as_servers = true) => {
      const store = await openStoreAt(address, { as_servers });
      const { id } = await anEvent(store);
      await store.close();
      return id;
    };
    await command();
    await stream.pass();
    await command(false);
    const beside = await command();
    await stream.pass();
    await stream.close(60_000);
    const after = await command();
    await auditStream({ store: server, sinks, log, now: () => later(1) }).pass();
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      [beside, after],
    );
  });

test("a syslog message conforms to RFC 5424, with escaped structured data and the event as JSON", () => {
  const event = {
    id: "0190163d-8694-739b-aea5-966c26f8ad91",
    ...{ type: "sign_in", outcome: "failure", created_at: "2030-01-01T00:00:00.000Z", actor_kind: "client" },
    ...{ actor_id: 'a "client" [1] \\ é', target_id: null, client_ip: "192.0.2.1" },
  };
  assert.equal(
    syslogMessage(event, "id.example"),
    '<108>1 2030-01-01T00:00:00.000Z id.example postern - sign_in [postern@32473 id="0190163d-8694-739b-aea5-966c26f8ad91" ' +
      'type="sign_in" outcome="failure" actor_kind="client" actor_id="a \\"client\\" [1\\] \\\\ é" client_ip="192.0.2.1"] ' +
      JSON.stringify(event).replace("é", "\\u00e9"),
  );
  const odd = { ...event, outcome: "success", type: `spaces and\nlines ${"x".repeat(40)}` };
  assert.match(syslogMessage(odd, ""), /^<110>1 \S+ - postern - spacesandlinesx{18} \[/);
});

test("by UDP each event is a datagram of at most 2048 bytes", async () => {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  atEnd(() => void socket.close());
  const came = once(socket, "message");
  const { port } = socket.address();
  await sendSyslog({ transport: "udp", host: "127.0.0.1", port }, ["m".repeat(5000)], { timeout: 1000 });
  const [bytes] = (await came) as [Buffer];
  assert.equal(bytes.length, 2048);
});

test("if the system cannot open a UDP socket, this is reported and the process continues", async () => {
  const program = `import { openSync } from "node:fs";
import { sendSyslog } from ${JSON.stringify(String(new URL("../../src/outbound/syslog.ts", import.meta.url)))};
const address = { transport: "udp", host: "127.0.0.1", port: 9 };
await sendSyslog(address, ["with a socket"], { timeout: 10_000 });
// A thread of the process may release a descriptor meanwhile; the loop then takes that one too.
for (let given = true; given; ) {
  try {
    for (;;) openSync("/dev/null", "r");
  } catch {}
  await sendSyslog(address, ["without"], { timeout: 10_000 }).catch(({ code }) => {
    given = false;
    console.log(code);
  });
}`;
  const node = [process.execPath, "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)("sh", ["-c", 'ulimit -n 100; exec "$@"', "sh", ...node]);
  assert.equal(stdout, "EMFILE\n");
});
