import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { isRegistered, type LoopbackHost } from "../../src/oauth/core/redirect_uri.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { serverOn } from "../support/authorization_server.ts";
import { anApp, aUser } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { ask, authorizeParameters, redirected, signedIn } from "../support/flows.ts";
import { listed } from "../support/listed.ts";

const registered = "https://app.example/cb";
const loopbackHosts: readonly LoopbackHost[] = ["127.0.0.1", "[::1]", "localhost"];

/** URIs that look like the registered one, and why. */
const nearMisses: Readonly<Record<string, string>> = {
  "upper-case scheme": "HTTPS://app.example/cb",
  "upper-case host": "https://APP.example/cb",
  "upper-case path": "https://app.example/CB",
  "the default port": "https://app.example:443/cb",
  "another port": "https://app.example:8443/cb",
  "an empty port": "https://app.example:/cb",
  http: "http://app.example/cb",
  "no scheme": "//app.example/cb",
  "a path alone": "/cb",
  "a dot segment": "https://app.example/./cb",
  "a parent segment": "https://app.example/x/../cb",
  "an encoded parent segment": "https://app.example/x/%2e%2e/cb",
  "a doubled slash": "https://app.example//cb",
  "an encoded letter": "https://app.example/%63b",
  "an encoded slash": "https://app.example%2Fcb",
  "a trailing slash": "https://app.example/cb/",
  "a trailing dot of the host": "https://app.example./cb",
  "a trailing space": "https://app.example/cb ",
  "a leading space": " https://app.example/cb",
  "a newline behind": "https://app.example/cb\n",
  "a tab inside": "https://app.ex\tample/cb",
  "an empty query": "https://app.example/cb?",
  "a query": "https://app.example/cb?x=1",
  "an empty fragment": "https://app.example/cb#",
  "a fragment": "https://app.example/cb#code",
  "a longer path": "https://app.example/cb/evil",
  "a longer name": "https://app.example/cbx",
  "a shorter path": "https://app.example/",
  "no path": "https://app.example",
  "path parameters": "https://app.example/cb;x=1",
  "a subdomain": "https://evil.app.example/cb",
  "a longer domain": "https://app.example.evil.example/cb",
  "a name that ends the same": "https://evilapp.example/cb",
  "a user": "https://user@app.example/cb",
  "an empty user": "https://@app.example/cb",
  "the host as user": "https://app.example@evil.example/cb",
  "the host as user, encoded": "https://app.example%40evil.example/cb",
  "a backslash": "https://app.example\\cb",
  "a backslash before another host": "https://evil.example\\@app.example/cb",
  "a Cyrillic letter": "https://\u0430pp.example/cb",
  "full-width letters": "https://\uff41pp.example/cb",
  "an ideographic full stop": "https://app\u3002example/cb",
  "a zero-width space": "https://app.example/\u200bcb",
  "a combining mark": "https://app.example/cb\u0301",
  punycode: "https://xn--pp-6kc.example/cb",
  "a wildcard": "https://*.example/cb",
  "two in one": "https://app.example/cb https://app.example/cb",
  "another scheme that runs": "javascript:alert(1)//https://app.example/cb",
  nothing: "x",
};

describeInForm("redirect URIs", (database) => {
  const as = serverOn(database);
  let who: SignedIn;
  before(async () => {
    who = await signedIn(as, await aUser(as.store));
  });

  const asks = (app: OAuthApp, redirect_uri: string) =>
    ask(as, who, authorizeParameters(app, { redirect_uri }));

  async function refuses(app: OAuthApp, redirect_uri: string): Promise<void> {
    await assert.rejects(
      asks(app, redirect_uri),
      { name: "OAuthError", code: "invalid_request", message: /redirect_uri is not registered/ },
      redirect_uri,
    );
  }

  async function accepts(app: OAuthApp, redirect_uri: string): Promise<void> {
    const outcome = await asks(app, redirect_uri);
    assert.equal(redirected(outcome).has("code"), true);
    assert.ok(outcome.type === "redirect" && outcome.location.startsWith(redirect_uri));
  }

  test("A-7: a redirect_uri is compared character by character, and every near miss is refused", async () => {
    for (const app_type of ["web", "native"] as const) {
      const app = await anApp(as.store, { first_party: true, app_type, redirect_uris: [registered] });
      await accepts(app, registered);
      for (const uri of Object.values(nearMisses)) await refuses(app, uri);
    }
  });

  test("A-7: a redirect URI registered in an unusual spelling matches only that spelling", async () => {
    const odd = "https://APP.example:443/a/../cb?x=%41";
    const app = await anApp(as.store, { first_party: true, redirect_uris: [odd] });
    await accepts(app, odd);
    for (const uri of [URL.parse(odd)?.href ?? "", "https://app.example/cb?x=A", odd.replace("%41", "A")]) {
      await refuses(app, uri);
    }
  });

  test("A-7: the redirect URI of another client is refused", async () => {
    const app = await anApp(as.store, { first_party: true });
    await anApp(as.store, { redirect_uris: ["https://other.example/cb"] });
    await refuses(app, "https://other.example/cb");
  });

  test("A-7: each of several registered redirect URIs is accepted, and none if the client has registered none", async () => {
    const uris = ["https://app.example/one", "https://app.example/two"];
    const app = await anApp(as.store, { first_party: true, redirect_uris: uris });
    for (const uri of uris) await accepts(app, uri);
    await refuses(await anApp(as.store, { redirect_uris: [] }), registered);
  });

  test("A-8: the loopback address of a native client is accepted on any port", async () => {
    const native = await anApp(as.store, {
      first_party: true,
      app_type: "native",
      redirect_uris: ["http://127.0.0.1/cb", "http://[::1]:8080/cb?x=1"],
    });
    for (const uri of listed`
        http://127.0.0.1/cb http://127.0.0.1:1/cb http://127.0.0.1:49152/cb http://127.0.0.1:65535/cb
        http://[::1]/cb?x=1 http://[::1]:8080/cb?x=1 http://[::1]:50000/cb?x=1
      `) {
      await accepts(native, uri);
    }
  });

  test("A-8: except for the port the URI must match exactly, and no other host counts as the loopback address", async () => {
    const native = await anApp(as.store, {
      first_party: true,
      app_type: "native",
      redirect_uris: ["http://127.0.0.1:8080/cb", "http://localhost:8080/cb", "com.example.app:/cb"],
    });
    for (const uri of [
      ...listed`
      http://127.0.0.1:8081/CB http://127.0.0.1:8081/cb/ http://127.0.0.1:8081/cb?x=1
      http://127.0.0.1:8081/cb#x http://127.0.0.1:8081/ http://127.0.0.1:8081 https://127.0.0.1:8081/cb
      HTTP://127.0.0.1:8081/cb http://127.0.0.2:8081/cb http://127.1:8081/cb http://2130706433:8081/cb
      http://0x7f.0.0.1:8081/cb http://0.0.0.0:8081/cb http://[::1]:8081/cb http://[::ffff:127.0.0.1]:8081/cb
      http://localhost:8081/cb http://LOCALHOST:8080/cb http://127.0.0.1@evil.example:8081/cb
      http://127.0.0.1:8081@evil.example/cb http://user@127.0.0.1:8081/cb
      http://127.0.0.1.evil.example:8081/cb http://127.0.0.1:8081.evil.example/cb
      http://127.0.0.1:8081\\@evil.example/cb http://127.0.0.1:65536/cb http://127.0.0.1:99999/cb
      http://127.0.0.1:080801/cb http://127.0.0.1:-1/cb http://127.0.0.1:+80/cb http://127.0.0.1:/cb
      http://127.0.0.1:\u0661\u0662/cb com.example.app:/cb2 com.example.app://cb com.example.app:8081/cb
    `,
      "http://127.0.0.1: 81/cb",
      "http://127.0.0.1:8081/cb\n",
    ]) {
      await refuses(native, uri);
    }
    await accepts(native, "http://localhost:8080/cb");
    await accepts(native, "com.example.app:/cb");
  });

  test("A-8: clients of other types must match the port as well", async () => {
    for (const app_type of ["web", "spa", "service", "machine"] as const) {
      const app = await anApp(as.store, {
        first_party: true,
        app_type,
        redirect_uris: ["http://127.0.0.1:8080/cb"],
      });
      await accepts(app, "http://127.0.0.1:8080/cb");
      await refuses(app, "http://127.0.0.1:8081/cb");
      await refuses(app, "http://127.0.0.1/cb");
    }
  });

  test("A-10: a redirect URI keeps its query, and the response parameters are appended", async () => {
    for (const uri of [
      "https://app.example/cb?tenant=a%20b&tenant=c",
      "https://app.example/cb?",
      "https://app.example/cb?x=1&",
      "com.example.app:/cb",
    ]) {
      const app = await anApp(as.store, { first_party: true, app_type: "native", redirect_uris: [uri] });
      const outcome = await asks(app, uri);
      assert.equal(outcome.type, "redirect");
      if (outcome.type !== "redirect") continue;
      assert.ok(outcome.location.startsWith(uri));
      const { search, searchParams } = new URL(outcome.location);
      assert.deepEqual(
        [...searchParams.keys()].filter((name) => !["tenant", "x"].includes(name)),
        ["code", "state", "iss"],
      );
      assert.equal(search.includes("&&") || search.includes("??"), false);
    }
  });

  test("A-7: near misses of a redirect URI do not match, whichever hosts may use any port", () => {
    for (const any_port of [[], loopbackHosts]) {
      assert.equal(isRegistered(registered, [registered], any_port), true);
      for (const [what, uri] of Object.entries(nearMisses)) {
        assert.equal(isRegistered(uri, [registered], any_port), false, what);
      }
    }
  });
});

describe("redirect URIs on the loopback interface", () => {
  /** The redirect URIs in the metadata document of Claude Code. */
  const claudeCode = ["http://localhost/callback", "http://127.0.0.1/callback"];
  const accepts = (uri: string, uris: readonly string[] = claudeCode) =>
    isRegistered(uri, uris, loopbackHosts);

  test("PR-9: the redirect URIs of Claude Code, VS Code and Codex are accepted on any port, also on localhost", () => {
    for (const port of ["", ":1", ":3118", ":54321", ":65535"]) {
      assert.ok(accepts(`http://localhost${port}/callback`), port);
      assert.ok(accepts(`http://127.0.0.1${port}/callback`), port);
    }
    const visualStudioCode = ["https://vscode.dev/redirect", "http://127.0.0.1/", "http://127.0.0.1:33418/"];
    for (const port of ["", ":33418", ":52031"]) {
      assert.ok(accepts(`http://127.0.0.1${port}/`, visualStudioCode), port);
    }
    assert.ok(accepts("http://127.0.0.1:1455/callback/x?y=1", ["http://127.0.0.1:1/callback/x?y=1"]));
    assert.ok(accepts("http://[::1]:7777/cb", ["http://[::1]/cb"]));
  });

  test("PR-9: a URI with another host, scheme, path or query, or with an impossible port, is refused", () => {
    for (const uri of [
      ...listed`
      http://localhost.evil:3118/callback http://localhost.evil.example/callback
      http://localhost:1@evil.example/callback http://localhost:3118@evil.example:80/callback
      http://localhost@evil.example/callback http://evil.example/callback?http://localhost:3118/callback
      http://user@localhost:3118/callback http://:@localhost:3118/callback http://LOCALHOST:3118/callback
      http://LOCALHOST./callback http://localhost.:3118/callback http://%6cocalhost:3118/callback
      http://localhost%2eevil:3118/callback http://localhost%00:3118/callback
      http://loc\u0430lhost:3118/callback http://\uff4cocalhost:3118/callback http://localhost:0/callback
      http://localhost:00/callback http://localhost:03118/callback http://localhost:65536/callback
      http://localhost:100000/callback http://localhost:-1/callback http://localhost:3118x/callback
      http://localhost:/callback http://localhost:3118/Callback http://localhost:3118/callback/
      http://localhost:3118/callback?x=1 http://localhost:3118/callback#x http://localhost:3118//callback
      http://localhost:3118/./callback http://localhost:3118/%63allback http://localhost:3118
      http://localhost:3118\\@evil.example/callback https://localhost:3118/callback
      HTTP://localhost:3118/callback http:localhost:3118/callback http://[::1]:3118/callback
      http://127.0.0.2:3118/callback http://127.1:3118/callback http://2130706433:3118/callback
      http://0.0.0.0:3118/callback
    `,
      "http://localhost:3118/callback\n",
    ]) {
      assert.equal(accepts(uri), false, uri);
    }
    // Each host is separate: a registered host permits no other.
    for (const [uris, uri] of [
      [["http://localhost/cb"], "http://127.0.0.1:3118/cb"],
      [["http://127.0.0.1/cb"], "http://localhost:3118/cb"],
      [["http://[::1]/cb"], "http://localhost:3118/cb"],
      [["https://localhost/cb"], "https://localhost:3118/cb"],
      [["https://localhost/cb"], "http://localhost:3118/cb"],
    ] as const) {
      assert.equal(accepts(uri, uris), false, uri);
    }
  });

  test("PR-9: a host for which the port is not free is compared character by character", () => {
    const registered = ["http://localhost:8080/cb", "http://127.0.0.1:8080/cb"];
    for (const any_port of [[], ["127.0.0.1", "[::1]"]] as const) {
      assert.ok(isRegistered("http://localhost:8080/cb", registered, any_port));
      assert.equal(isRegistered("http://localhost:8081/cb", registered, any_port), false);
    }
  });
});
