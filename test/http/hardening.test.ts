import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { oneAddress } from "../../src/admin/reports/one_address.ts";
import { forwardedAddress } from "../../src/http/request_origin.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { aPerson, browserOf, cookieOf, type TestApp, testApp, testBrowser } from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { anApp, later } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { listed } from "../support/listed.ts";
import { until } from "../support/until.ts";

describe("requests at the level of the socket", () => {
  let it: TestApp;
  let client: OAuthApp;
  let port: number;
  before(async () => {
    it = await testApp();
    client = await anApp(it.store);
    await it.app.listen({ host: "127.0.0.1", port: 0 });
    port = (it.app.server.address() as AddressInfo).port;
  });
  after(() => it.app.close());

  /** Sends bytes unchanged, and returns all received bytes once the connection is closed. */
  async function exchange(message: string): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    socket.write(Buffer.from(message, "latin1"));
    return text(socket);
  }
  const request = (line: string, ...headers: string[]) =>
    `${line} HTTP/1.1\r\n${["Host: id.example", "Connection: close", ...headers].join("\r\n")}\r\n\r\n`;
  const status = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
  const header = (answer: string, name: string) => new RegExp(`^${name}: (.*)\r$`, "im").exec(answer)?.[1];

  test("A-1: characters that clients leave unescaped in the query reach the redirect parameter unchanged", async () => {
    const query = `${formOf(authorizeParameters(client))}&a='"<>[]{}|^\`~&&=`;
    const answer = await exchange(request(`GET /oauth/authorize?${query}`));
    assert.equal(status(answer), 302);
    const location = new URL(String(header(answer, "location")), issuer);
    assert.equal(location.searchParams.get("redirect"), `${issuer}/oauth/authorize?${query}`);
  });

  test("H-2: TRACE is refused, and no header names the software", async () => {
    for (const method of ["TRACE", "PROPFIND", "PURGE"]) {
      assert.ok([404, 405].includes(status(await exchange(request(`${method} /login`)))), method);
    }
    const trace = await exchange(request("TRACE /", "X-Secret: marker"));
    assert.equal(status(trace), 405);
    assert.doesNotMatch(trace, /marker/);
    const answer = await exchange(request("GET /login"));
    for (const name of ["x-powered-by", "server"]) assert.equal(header(answer, name), undefined);
    assert.equal(header(answer, "x-content-type-options"), "nosniff");
    assert.equal(header(answer, "strict-transport-security"), "max-age=31536000");
  });

  test("H-3: a request with two lengths or malformed headers is refused in JSON, and the connection is closed", async () => {
    const body = "5\r\nabcde\r\n0\r\n\r\n";
    const type = "Content-Type: application/x-www-form-urlencoded";
    for (const headers of [
      ["Content-Length: 4", "Transfer-Encoding: chunked"],
      ["Content-Length: 4", "Content-Length: 5"],
      ["Transfer-Encoding: chunked, identity"],
      ["Transfer-Encoding: xchunked"],
      ["Content-Length: +4"],
      ["Content-Length : 4"],
      ["X-Folded: a", " b", "Content-Length: 0"],
    ]) {
      const answer = await exchange(request("POST /oauth/token", type, ...headers) + body);
      assert.equal(status(answer), 400, headers.join());
      assert.match(answer, /\r\n\r\n\{"error":"invalid_request",/);
      assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1);
    }
  });

  test("H-3: a request whose headers exceed the limit gets 431", async () => {
    assert.equal(status(await exchange(request("GET /login", `X-Long: ${"x".repeat(17_000)}`))), 431);
    assert.equal(status(await exchange(request(`GET /login?${"x".repeat(17_000)}`))), 431);
  });

  test("H-3: bytes that are not HTTP get 400, and the next caller is served", async () => {
    assert.equal(status(await exchange("nonsense\r\n\r\n")), 400);
    assert.equal(status(await exchange(`GET /login HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n`)), 400);
    assert.equal(status(await exchange(request("GET /healthz"))), 200);
  });

  test("H-3: unfinished requests do not block other requests, and are aborted", async () => {
    let heard = 0;
    it.app.server.on("request", () => {
      heard += 1;
    });
    const stalled = Array.from({ length: 50 }, () => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(
        request("POST /oauth/token", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 50"),
      );
      return socket;
    });
    await until(() => heard === 50, "all fifty have begun");
    assert.equal(status(await exchange(request("GET /.well-known/jwks.json"))), 200);
    for (const socket of stalled) socket.destroy();
    assert.equal(it.app.server.requestTimeout, 30_000);
    assert.equal(it.app.server.headersTimeout, 15_000);
  });

  test("V-1: a revocation of a megabyte gets its 200, and the connection stays open", async () => {
    const socket = connect(port, "127.0.0.1");
    const keepAlive = (line: string, ...headers: string[]) =>
      `${line} HTTP/1.1\r\n${["Host: a", ...headers].join("\r\n")}\r\n\r\n`;
    socket.write(
      keepAlive(
        "POST /oauth/revoke",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Length: 1000000",
      ),
    );
    socket.write("x".repeat(1_000_000));
    const [first] = (await once(socket, "data")) as [Buffer];
    assert.match(first.toString(), /^HTTP\/1\.1 200[\s\S]*\r\n\r\n\{\}$/);
    socket.write(request("GET /healthz"));
    assert.match(await text(socket), /^HTTP\/1\.1 200/);
  });

  test("a path that cannot be decoded gets 400 or 404, with the usual security headers", async () => {
    for (const path of ["/%", "/%c3%28", "/login%", "/oauth/%zz"]) {
      const answer = await exchange(request(`GET ${path}`));
      assert.ok([400, 404].includes(status(answer)), `${path} ${status(answer)}`);
      assert.equal(header(answer, "x-content-type-options"), "nosniff");
      assert.equal(header(answer, "x-frame-options"), "DENY");
    }
  });

  test("a request with an absolute URI is answered like one with a path", async () => {
    const answer = await exchange(request("GET http://evil.example/oauth/authorize?client_id=nobody"));
    assert.equal(status(answer), 400);
    assert.doesNotMatch(answer, /evil/);
  });
});

describe("H-4: the address of the requester", () => {
  const forwarded = "203.0.113.7, 198.51.100.9";

  async function addressSeen(trust_proxy: string[], remoteAddress: string, header = forwarded) {
    const it = await testApp({ trust_proxy });
    const user = await aPerson(it);
    const browser = testBrowser(it.app);
    const page = await it.app.inject({ url: "/login", remoteAddress });
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page.body)?.[1];
    for (const { name, value } of page.cookies) browser.cookies.set(name, value);
    await it.app.inject({
      method: "POST",
      url: "/login",
      remoteAddress,
      headers: {
        "x-forwarded-for": header,
        "content-type": "application/x-www-form-urlencoded",
        "user-agent": "u".repeat(600),
        cookie: cookieOf(browser),
      },
      payload: formOf({ email: user.email, password: "an example of a password", csrf_token }),
    });
    return it.store.find("sessions", { user_id: user.id });
  }

  test("H-4: behind trusted proxies, the nearest address in the header that is not a proxy counts", async () => {
    for (const [trusted, peer, address] of [
      [[], "10.0.0.1", "10.0.0.1"],
      [["192.0.2.0/24"], "10.0.0.1", "10.0.0.1"],
      [["10.0.0.0/8"], "10.0.0.1", "198.51.100.9"],
      [["10.0.0.0/8", "198.51.100.0/24"], "10.0.0.1", "203.0.113.7"],
      // An IPv4 address that is sent as IPv6 is stored as IPv4.
      [[], "::ffff:192.0.2.5", "192.0.2.5"],
    ] as [string[], string, string][]) {
      assert.equal((await addressSeen(trusted, peer))?.client_ip, address, `${peer} ${trusted}`);
    }
  });

  test("H-61, H-4: at most twenty trusted proxies in the header are skipped", async () => {
    const nearestLast = Array.from(
      { length: 5_000 },
      (_, at) => `10.0.${(5_000 - at) >> 8}.${(5_000 - at) & 255}`,
    );
    const session = await addressSeen(["10.0.0.0/8"], "10.0.0.1", nearestLast.join(", "));
    assert.equal(session?.client_ip, "10.0.0.20");
  });

  test("H-4: an invalid address from a proxy is not stored, and the user agent is truncated", async () => {
    const session = await addressSeen(["10.0.0.0/8"], "10.0.0.1", "<script>");
    assert.equal(session?.client_ip, "10.0.0.1");
    assert.equal(session?.user_agent?.length, 512);
  });

  test("H-4: an address is read in every form that proxies write, and the operator's own proxies are skipped", async () => {
    for (const [header, address] of [
      ["203.0.113.5:4100", "203.0.113.5"],
      ["[2001:db8::1]:4100", "2001:db8::1"],
      ["[2001:db8::1]", "2001:db8::1"],
      ['"[2001:db8::1]:4100"', "2001:db8::1"],
      ['"203.0.113.5"', "203.0.113.5"],
      [" 203.0.113.5 ", "203.0.113.5"],
      ["::ffff:203.0.113.5", "203.0.113.5"],
      ["[::ffff:cb00:7105]:4100", "203.0.113.5"],
      ["fe80::1%eth0", "fe80::1"],
      ["[fe80::1%25eth0]:4100", "fe80::1"],
      ["203.0.113.5:4100, 10.9.9.9:5000, [::ffff:10.9.9.8]:80", "203.0.113.5"],
      ["203.0.113.5, unknown, 10.9.9.9:5000", "10.9.9.9"],
    ] as const) {
      assert.equal((await addressSeen(["10.0.0.0/8"], "10.0.0.1", header))?.client_ip, address, header);
    }
  });

  test("H-4: a trusted IPv6 range does not trust IPv4 addresses, unless it is the range of mapped ones", async () => {
    for (const [ranges, client_ip] of [
      [["::/1", "2001:db8::/32"], "10.0.0.1"],
      [["::ffff:10.0.0.0/104"], "203.0.113.5"],
    ] as const) {
      assert.equal((await addressSeen([...ranges], "10.0.0.1", "203.0.113.5"))?.client_ip, client_ip);
    }
  });

  test("H-4: text that is not an address in any proxy format is ignored", () => {
    for (const text of [
      undefined,
      "",
      ...listed`
        unknown _hidden 203.0.113.5:port 203.0.113.5:123456 203.0.113.5:99999 [2001:db8::1]:65536 [203.0.113.5] [2001:db8::1 999.0.0.1:80 1:2:3
        2001:db8::1]:80
      `,
    ]) {
      assert.equal(forwardedAddress(text), undefined, String(text));
    }
  });

  test("H-4: an untrusted proxy that forwards addresses causes one warning, and a trusted one none", async () => {
    const warnings = async (trust_proxy: string[], headers: Record<string, string>) => {
      const it = await testApp({ trust_proxy });
      for (let request = 0; request < 3; request += 1) {
        await it.app.inject({ url: "/healthz", remoteAddress: "10.0.0.1", headers });
      }
      return it.logged.filter((line) => line.includes("POSTERN_TRUST_PROXY"));
    };
    const forms = [
      { "x-forwarded-for": forwarded },
      { forwarded: "for=203.0.113.7" },
      { "x-real-ip": "::1" },
    ];
    for (const headers of forms) {
      const reported = await warnings([], { ...headers } as Record<string, string>);
      assert.equal(reported.length, 1);
      assert.match(String(reported[0]), /"peer":"10\.0\.0\.1"/);
    }
    assert.deepEqual(await warnings(["10.0.0.0/8"], { "x-forwarded-for": forwarded }), []);
    assert.deepEqual(await warnings([], {}), []);
  });

  test("H-4: an untrusted proxy at a private address is stored for the console, in one row", async () => {
    const noted = async (trust_proxy: string[], remoteAddress: string) => {
      const it = await testApp({ trust_proxy });
      const headers = { "x-forwarded-for": forwarded };
      for (let request = 0; request < 3; request += 1) {
        await it.app.inject({ url: "/healthz", remoteAddress, headers });
        it.clock.advance(1800);
      }
      it.clock.advance(-1800);
      const { store, clock } = it;
      // Writes are stored in order, so the queued ones are stored once this one is.
      await store.useOnce("throttle", Buffer.from("a barrier"), later(60, clock.now()), clock.now());
      const rows = await store.count("ephemera", { kind: "untrusted_proxy" });
      return [(await oneAddress(store, clock.now(), {}))?.address, rows];
    };
    assert.deepEqual(await noted([], "::ffff:10.0.0.1"), ["10.0.0.1", 1]);
    assert.deepEqual(await noted(["10.0.0.0/8"], "10.0.0.1"), [undefined, 0]);
    // Any client on the internet may send the header.
    assert.deepEqual(await noted([], "8.8.8.8"), [undefined, 0]);
  });
});

test("L-7: a session cookie is found only by its stored signature", async () => {
  const it = await testApp();
  const user = await aPerson(it);
  const browser = await browserOf(it, user);
  const cookie = String(browser.cookies.get("__Host-postern_session"));
  const row = await it.store.find("sessions", { user_id: user.id });
  assert.ok(row && !JSON.stringify(row).includes(cookie));
  assert.equal(row.id_signature.length, 32);
});
