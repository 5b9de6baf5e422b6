/** Requests through a real forward proxy (docs/decisions/operations.md). */

import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readConfig } from "../../src/config.ts";
import { createOutbound, type OutboundRequest, resolveHost } from "../../src/outbound/outbound.ts";
import { outboundOf } from "../../src/server/outbound_of.ts";
import { atEnd } from "../support/at_end.ts";
import { listed } from "../support/listed.ts";
import { temporaryFolder } from "../support/temp.ts";
import { certificate, loopbackServer } from "./tls_server.ts";

function get(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return { method: "GET", url, accept: "application/json", max_bytes: 5000, timeout: 3000, ...more };
}

/**
 * Starts a proxy that connects every name to one loopback port if the password is right, or answers with the
 * status.
 */
async function aProxy(port: number, status = 200) {
  const requested: string[] = [];
  const server = createServer((_request, response) => response.writeHead(400).end());
  server.on("connect", (request, socket) => {
    requested.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    socket.on("error", () => socket.destroy());
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const inner = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      inner.pipe(socket).pipe(inner);
    });
    inner.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => void server.close());
  return { requested, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function aHost() {
  const host = await loopbackServer((_, response) => response.end("answered"));
  atEnd(() => host.close());
  return host;
}

const unknown = { resolve: async () => [], ca: certificate };

describe("requests through a forward proxy", () => {
  test("PR-21: the proxy gets a CONNECT request, and TLS is verified from end to end", async () => {
    const host = await aHost();
    const proxy = await aProxy(host.port);
    const url = new URL(proxy.url);
    url.username = "postern";
    url.password = "p%40ss";
    const outbound = createOutbound({ ...unknown, proxy: url });
    const { status, body } = await outbound.send(get("https://a.outbound.test/keys"));
    assert.deepEqual([status, body.toString(), host.seen], [200, "answered", ["/keys"]]);
    const credentials = Buffer.from("postern:p@ss").toString("base64");
    assert.deepEqual(proxy.requested, [`a.outbound.test:443 Basic ${credentials}`]);
    // The certificate is for *.outbound.test.
    await assert.rejects(outbound.send(get("https://a.example.test/")), { kind: "tls" });
    const untrusting = createOutbound({ resolve: unknown.resolve, proxy: url });
    await assert.rejects(untrusting.send(get("https://a.outbound.test/")), { kind: "tls" });
    assert.deepEqual(host.seen, ["/keys"]);
  });

  test("PR-21: a request to an internal address is refused before it reaches the proxy", async () => {
    const proxy = await aProxy(1);
    const resolve = async (name: string) => (name === "inside.outbound.test" ? ["8.8.8.8", "10.0.0.1"] : []);
    const outbound = createOutbound({ resolve, proxy: new URL(proxy.url) });
    for (const url of ["https://10.0.0.1/", "https://[::1]/", "https://inside.outbound.test/"]) {
      await assert.rejects(outbound.send(get(url)), { kind: "internal_address" }, url);
    }
    const inner = listed`localhost a.localhost printer db.local vault.internal. x.home.arpa printer. db.private a.svc x.consul`;
    for (const name of inner) {
      await assert.rejects(outbound.send(get(`https://${name}/`)), { kind: "unresolved" }, name);
    }
    await assert.rejects(outbound.send(get("http://a.outbound.test/")), { kind: "not_https" });
    assert.deepEqual(proxy.requested, []);
  });

  test("allowed internal addresses are reached without the proxy, and an error names a proxy that refuses", async () => {
    const host = await aHost();
    const proxy = await aProxy(host.port, 403);
    const resolve = async (name: string) => (name === "near.outbound.test" ? ["127.0.0.1"] : []);
    const allow = ["127.0.0.0/8"];
    const outbound = createOutbound({ resolve, allow, ca: certificate, proxy: new URL(proxy.url) });
    assert.equal((await outbound.send(get(`https://near.outbound.test:${host.port}/`))).status, 200);
    assert.deepEqual(proxy.requested, []);
    await assert.rejects(outbound.send(get("https://far.outbound.test/")), { kind: "proxy" });
    const missing = createOutbound({ ...unknown, proxy: new URL("http://127.0.0.1:1") });
    await assert.rejects(missing.send(get("https://far.outbound.test/")), { kind: "proxy" });
  });

  test("a request through an unresponsive proxy ends at its time limit, and frees its slot", async () => {
    const silent = createServer();
    silent.on("connect", () => {});
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    atEnd(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const proxy = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const outbound = createOutbound({ ...unknown, proxy, most_at_once: 1 });
    for (let turn = 0; turn < 2; turn += 1) {
      await assert.rejects(outbound.send(get("https://a.outbound.test/", { timeout: 100 })), {
        kind: "timeout",
      });
    }
  });

  test("POSTERN_OUTBOUND_PROXY and POSTERN_OUTBOUND_CA set proxy and certificate authority, also from files", async () => {
    const host = await aHost();
    const proxy = await aProxy(host.port);
    const files: Record<string, string> = { "/proxy": proxy.url, "/ca": certificate };
    const readFile = (path: string) => files[path] ?? assert.fail(path);
    const env = { POSTERN_OUTBOUND_PROXY_FILE: "/proxy", POSTERN_OUTBOUND_CA_FILE: "/ca" };
    const outbound = outboundOf(readConfig(env, {}, { readFile }));
    // `test` is reserved (RFC 6761 6.4), so DNS does not know it.
    assert.equal((await outbound.send(get("https://a.outbound.test/"))).status, 200);
    for (const text of ["socks5://host:1080", "http://host/path", "host:3128", "http://%zz@host"]) {
      assert.throws(() => readConfig({ POSTERN_OUTBOUND_PROXY: text }), /POSTERN_OUTBOUND_PROXY/, text);
    }
  });
});

test("names from the hosts file are resolved, and checked by their addresses", async () => {
  const path = join(temporaryFolder(), "hosts");
  writeFileSync(
    path,
    "# made\n192.0.2.7\tApp.Example.test app # first\n::1 app\nnonsense app\r\n10.0.0.9 other\r\n",
  );
  assert.deepEqual(await resolveHost("app", path), ["192.0.2.7", "::1"]);
  assert.deepEqual(await resolveHost("app.example.test.", path), ["192.0.2.7"]);
  assert.deepEqual(await resolveHost("other", path), ["10.0.0.9"]);
  const outbound = createOutbound({ resolve: (host) => resolveHost(host, path) });
  await assert.rejects(outbound.send(get("https://other/")), { kind: "internal_address" });
});
