import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createOutbound, type OutboundErrorKind, type OutboundRequest } from "../../src/outbound/outbound.ts";
import { isPublicAddress } from "../../src/records/names/public_addresses.ts";
import { certificate, loopbackServer } from "./tls_server.ts";

const loopback = ["127.0.0.0/8"];

function get(url: string, more: Partial<OutboundRequest> = {}): OutboundRequest {
  return { method: "GET", url, accept: "application/json", max_bytes: 5000, timeout: 3000, ...more };
}

/** Creates a resolver that knows these names, and counts the look-ups. */
function resolverOf(names: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const requested: string[] = [];
  const resolve = async (host: string) => {
    const answers = names[host] ?? [];
    const times = requested.filter((name) => name === host).length;
    requested.push(host);
    return answers[Math.min(times, answers.length - 1)] ?? [];
  };
  return { requested, resolve };
}

/** Spellings of internal addresses, and addresses that an anonymous caller may not name. */
const insideSpellings = [
  "https://127.0.0.1/",
  "https://127.1/",
  "https://127.0.1/",
  "https://127.255.255.254/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0x7f.0.0.1/",
  "https://0177.0.0.1/",
  "https://017700000001/",
  "https://0x7f.1/",
  "https://%31%32%37.0.0.1/",
  "https://127.0.0.1./",
  "https://１２７.0.0.1/",
  "https://127。0。0。1/",
  "https://0.0.0.0/",
  "https://0/",
  "https://0x0/",
  "https://0.1.2.3/",
  "https://10.0.0.1/",
  "https://10.255.255.255/",
  "https://167772161/",
  "https://172.16.0.1/",
  "https://172.31.255.255/",
  "https://192.168.0.1/",
  "https://192.168.1.1:8443/",
  "https://3232235777/",
  "https://169.254.169.254/latest/meta-data/",
  "https://0xa9fea9fe/",
  "https://2852039166/",
  "https://0251.0376.0251.0376/",
  "https://169.254.0.1/",
  "https://100.64.0.1/",
  "https://100.127.255.255/",
  "https://192.0.0.8/",
  "https://192.0.2.1/",
  "https://192.88.99.1/",
  "https://198.18.0.1/",
  "https://198.19.255.255/",
  "https://198.51.100.7/",
  "https://203.0.113.9/",
  "https://224.0.0.1/",
  "https://239.255.255.250/",
  "https://240.0.0.1/",
  "https://255.255.255.255/",
  "https://4294967295/",
  "https://[::]/",
  "https://[::1]/",
  "https://[0:0:0:0:0:0:0:1]/",
  "https://[0000:0000:0000:0000:0000:0000:0000:0001]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[::ffff:169.254.169.254]/",
  "https://[::ffff:8.8.8.8]/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[64:ff9b::a9fe:a9fe]/",
  "https://[64:ff9b:1::1]/",
  "https://[2002:7f00:1::]/",
  "https://[2002:a9fe:a9fe::1]/",
  "https://[2001::1]/",
  "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
  "https://[2001:db8::1]/",
  "https://[3fff::1]/",
  "https://[100::1]/",
  "https://[fc00::1]/",
  "https://[fd12:3456:789a::1]/",
  "https://[fd00:ec2::254]/",
  "https://[fe80::1]/",
  "https://[fec0::1]/",
  "https://[ff02::1]/",
  "https://[5f00::1]/",
] as const;

const publicAddresses = [
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "192.0.1.1",
  "198.17.255.255",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:80b::200e",
] as const;

describe("outbound requests", () => {
  test(`PR-21: none of ${insideSpellings.length} spellings of internal addresses is connected to`, async () => {
    assert.ok(insideSpellings.length >= 60);
    const outbound = createOutbound({ resolve: async () => assert.fail("an address needs no resolver") });
    for (const url of insideSpellings) {
      await assert.rejects(outbound.send(get(url)), { kind: "internal_address" }, url);
    }
  });

  test("PR-21: public addresses are recognized, and neighboring and malformed ones are not", () => {
    for (const address of publicAddresses) assert.ok(isPublicAddress(address), address);
    for (const text of ["", "localhost", "1.2.3", "01.2.3.4", "::g", "1.2.3.4/8", " 8.8.8.8"]) {
      assert.equal(isPublicAddress(text), false, text);
    }
  });

  test("PR-21: IPv4 addresses are classified by their ranges, and are never public when written as IPv6", () => {
    const inside: readonly (readonly [number, number])[] = [
      [0, 8],
      [10, 8],
      [0x64400000, 10],
      [127, 8],
      [0xa9fe0000, 16],
      [0xac100000, 12],
      [0xc0000000, 24],
      [0xc0000200, 24],
      [0xc01fc400, 24],
      [0xc034c100, 24],
      [0xc0586300, 24],
      [0xc0a80000, 16],
      [0xc0af3000, 24],
      [0xc6120000, 15],
      [0xc6336400, 24],
      [0xcb007100, 24],
      [0xe0000000, 4],
      [0xf0000000, 4],
    ].map(([start = 0, bits = 0]) => [start < 256 ? start * 2 ** 24 : start, bits]);
    fc.assert(
      fc.property(fc.nat(0xffffffff), (number) => {
        const text = [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
        const special = inside.some(([start, bits]) => {
          const size = 2 ** (32 - bits);
          return number >= start && number < start + size;
        });
        assert.equal(isPublicAddress(text), !special, text);
        assert.equal(isPublicAddress(`::ffff:${text}`), false);
        assert.equal(isPublicAddress(`64:ff9b::${text}`), false);
      }),
      { numRuns: 2000 },
    );
  });

  test("PR-21: a host name with one internal address among public ones is refused without a connection", async () => {
    const { resolve } = resolverOf({ "mixed.outbound.test": [["93.184.216.34", "127.0.0.1"]] });
    const outbound = createOutbound({ resolve });
    await assert.rejects(outbound.send(get("https://mixed.outbound.test/")), { kind: "internal_address" });
  });

  test("PR-21: a DNS answer that changes between check and connection has no effect (DNS rebinding)", async () => {
    const answer = (text: string) => (_: unknown, response: { end(text: string): void }) =>
      response.end(text);
    const checked = await loopbackServer(answer("checked"), { host: "127.0.0.2" });
    const inner = await loopbackServer(answer("inner"), { host: "127.0.0.1", port: checked.port });
    try {
      const { resolve, requested } = resolverOf({
        "rebinding.outbound.test": [["127.0.0.2"], ["127.0.0.1"]],
      });
      const outbound = createOutbound({ resolve, allow: ["127.0.0.2/32"], ca: certificate });
      const url = `https://rebinding.outbound.test:${checked.port}/`;
      const { body } = await outbound.send(get(url));
      assert.equal(body.toString(), "checked");
      assert.deepEqual(requested, ["rebinding.outbound.test"]);
      await assert.rejects(outbound.send(get(url)), { kind: "internal_address" });
      assert.deepEqual(inner.seen, []);
    } finally {
      await checked.close();
      await inner.close();
    }
  });

  test("PR-21: a TLS certificate from an unknown authority or for another name is refused", async () => {
    const server = await loopbackServer((_, response) => response.end("{}"));
    try {
      const { resolve } = resolverOf({
        "a.outbound.test": [["127.0.0.1"]],
        "a.example.test": [["127.0.0.1"]],
      });
      const unknown = createOutbound({ resolve, allow: loopback });
      await assert.rejects(unknown.send(get(`https://a.outbound.test:${server.port}/`)), { kind: "tls" });
      const known = createOutbound({ resolve, allow: loopback, ca: certificate });
      await assert.rejects(known.send(get(`https://a.example.test:${server.port}/`)), { kind: "tls" });
      assert.deepEqual(server.seen, []);
      const { status } = await known.send(get(`https://a.outbound.test:${server.port}/`));
      assert.equal(status, 200);
    } finally {
      await server.close();
    }
  });

  test("PR-21: a URL that is not https, contains user information or has no address is refused", async () => {
    const { resolve } = resolverOf({ "public.outbound.test": [["93.184.216.34"]] });
    const outbound = createOutbound({ resolve });
    const refused: Readonly<Record<string, OutboundErrorKind>> = {
      "http://public.outbound.test/": "not_https",
      "ftp://public.outbound.test/": "not_https",
      "file:///etc/passwd": "not_https",
      "gopher://127.0.0.1/": "not_https",
      "data:text/plain,a": "not_https",
      "https://user:password@public.outbound.test/": "has_user_info",
      "https://user@public.outbound.test/": "has_user_info",
      "https://nowhere.outbound.test/": "unresolved",
      nonsense: "not_a_url",
      "//public.outbound.test/": "not_a_url",
      "https://": "not_a_url",
    };
    for (const [url, kind] of Object.entries(refused)) {
      await assert.rejects(outbound.send(get(url)), { kind }, url);
    }
  });

  test("PR-21: redirects are returned and not followed, and only the given headers are sent", async () => {
    const sent: unknown[] = [];
    const server = await loopbackServer(
      ({ headers }, response) => {
        sent.push(headers);
        response.writeHead(302, { location: "/elsewhere", "set-cookie": "a=b" }).end();
      },
      { tls: false },
    );
    try {
      process.env.HTTP_PROXY = "http://127.0.0.1:9";
      const outbound = createOutbound({ allow: loopback });
      for (let count = 0; count < 2; count += 1) {
        const { status } = await outbound.send(get(`http://127.0.0.1:${server.port}/document`));
        assert.equal(status, 302);
      }
      assert.deepEqual(server.seen, ["/document", "/document"]);
      const headers = {
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": "Postern",
        host: `127.0.0.1:${server.port}`,
        connection: "close",
      };
      assert.deepEqual(sent, [headers, headers]);
    } finally {
      delete process.env.HTTP_PROXY;
      await server.close();
    }
  });

  test("a credential is sent only to the host of its URL, and DELETE may have a body", async () => {
    const sent: unknown[] = [];
    const server = await loopbackServer(
      async (request, response) => {
        let body = "";
        for await (const chunk of request) body += chunk;
        sent.push([request.method, request.headers.authorization, body]);
        response.end();
      },
      { tls: false },
    );
    try {
      const outbound = createOutbound({ allow: loopback });
      const url = `http://127.0.0.1:${server.port}/`;
      const body = { type: "application/json", text: "{}" };
      await outbound.send(get(url, { method: "DELETE", authorization: "Bearer x", body }));
      await outbound.send(get(url));
      assert.deepEqual(sent, [
        ["DELETE", "Bearer x", "{}"],
        ["GET", undefined, ""],
      ]);
    } finally {
      await server.close();
    }
  });

  test("PR-21: a response that is too large, compressed or endless is aborted", async () => {
    const server = await loopbackServer(
      ({ url }, response) => {
        if (url === "/large") response.end("x".repeat(5001));
        else if (url === "/fits") response.end("x".repeat(5000));
        else if (url === "/packed") response.setHeader("content-encoding", "gzip").end("x");
        else if (url === "/endless") response.write("x");
      },
      { tls: false },
    );
    try {
      const outbound = createOutbound({ allow: loopback });
      const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;
      await assert.rejects(outbound.send(get(at("/large"))), { kind: "too_large" });
      await assert.rejects(outbound.send(get(at("/packed"))), { kind: "encoded" });
      await assert.rejects(outbound.send(get(at("/endless"), { timeout: 200 })), { kind: "timeout" });
      await assert.rejects(outbound.send(get(at("/silent"), { timeout: 200 })), { kind: "timeout" });
      assert.equal((await outbound.send(get(at("/fits")))).body.length, 5000);
      assert.equal((await outbound.send(get(at("/large"), { cut: true }))).body.length, 5000);
    } finally {
      await server.close();
    }
  });

  test("PR-21: response headers may be as large as those of large providers, but not unlimited", async () => {
    const server = await loopbackServer(
      ({ url }, response) =>
        void response
          .setHeader("content-security-policy", "x".repeat(url === "/many" ? 17_000 : 15_000))
          .end(),
      { tls: false },
    );
    try {
      const outbound = createOutbound({ allow: loopback });
      const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;
      assert.equal((await outbound.send(get(at("/some")))).status, 200);
      await assert.rejects(outbound.send(get(at("/many"))), { kind: "too_large" });
    } finally {
      await server.close();
    }
  });

  test("FO-3: a flood of bytes before or after the body is aborted after a bounded number of bytes", async () => {
    const ok = "HTTP/1.1 200 OK\r\n";
    const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
    const floods = [
      { name: "interim responses", once: "", again: "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n" },
      { name: "blank lines", once: "", again: "\r\n" },
      { name: "headers", once: ok, again: "a: b\r\n" },
      { name: "leading zeros of a chunk", once: chunked, again: "0" },
      { name: "chunk extensions", once: chunked, again: `1;${"e".repeat(8000)}\r\nx\r\n` },
      { name: "trailers", once: `${chunked}0\r\n`, again: "a: b\r\n" },
    ];
    for (const { name, once: start, again } of floods) {
      const more = again.repeat(Math.ceil(65_536 / again.length));
      const ended = Promise.withResolvers<number>();
      const host = createServer((socket) => {
        const flood = () => {
          while (!socket.destroyed && socket.write(more));
        };
        socket.on("error", () => {}).on("drain", flood);
        socket.once("close", () => ended.resolve(socket.bytesWritten)).resume();
        socket.write(start, flood);
      }).listen(0, "127.0.0.1");
      host.unref();
      await once(host, "listening");
      const { port } = host.address() as AddressInfo;
      const sending = createOutbound({ allow: loopback }).send(get(`http://127.0.0.1:${port}/`));
      try {
        await assert.rejects(sending, { kind: "too_large" }, name);
        // The count includes data that the kernel buffers on both sides.
        assert.ok((await ended.promise) < 16_000_000, name);
        if (name !== "chunk extensions") continue;
        const cut = await createOutbound({ allow: loopback }).send(
          get(`http://127.0.0.1:${port}/`, { cut: true }),
        );
        assert.deepEqual([cut.status, cut.dropped], [200, "too_large"]);
      } finally {
        host.close();
      }
    }
  });

  test("PR-21: a response that switches protocols or has invalid chunks fails, and frees its slot", async () => {
    const sent = [
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
      "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf",
      "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nmore than that",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
      "nonsense",
    ];
    const host = createServer((socket) => {
      const next = sent.shift() ?? "";
      socket.on("error", () => {}).once("data", () => socket.write(next, () => socket.destroySoon()));
    }).listen(0, "127.0.0.1");
    host.unref();
    await once(host, "listening");
    const outbound = createOutbound({ allow: loopback, most_at_once: 1 });
    const { port } = host.address() as AddressInfo;
    try {
      while (sent.length > 0)
        await assert.rejects(outbound.send(get(`http://127.0.0.1:${port}/`)), { kind: "unreachable" });
    } finally {
      host.close();
    }
  });

  test("PR-21: a DNS look-up without an answer is abandoned, and too many at a time are refused", async () => {
    const outbound = createOutbound({ resolve: () => new Promise(() => {}), most_at_once: 3 });
    const waiting = Array.from({ length: 3 }, () =>
      assert.rejects(outbound.send(get("https://slow.outbound.test/", { timeout: 300 })), {
        kind: "timeout",
      }),
    );
    await assert.rejects(outbound.send(get("https://slow.outbound.test/")), { kind: "busy" });
    await Promise.all(waiting);
    await assert.rejects(outbound.send(get("https://slow.outbound.test/", { timeout: 10 })), {
      kind: "timeout",
    });
  });

  test("a POST carries its body, and an error message names only the host", async () => {
    let received = "";
    const server = await loopbackServer(
      async (request, response) => {
        for await (const chunk of request) received += chunk;
        response.writeHead(400).end("secret of theirs");
      },
      { tls: false },
    );
    const url = `http://127.0.0.1:${server.port}/notice?token=secret`;
    const request = get(url, {
      method: "POST",
      body: { type: "application/x-www-form-urlencoded", text: "a=ä" },
    });
    const outbound = createOutbound({ allow: loopback });
    assert.equal((await outbound.send(request)).status, 400);
    assert.equal(received, "a=ä");
    await server.close();
    await assert.rejects(outbound.send(request), (error: Error & { kind: string }) => {
      assert.equal(error.kind, "unreachable");
      return !error.message.includes("secret");
    });
  });
});
