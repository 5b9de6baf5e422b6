/** The MCP server of `examples/`, as `npm run examples` starts it, and its refusal of invalid tokens. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SignJWT } from "jose";
import { freePort } from "../support/free_port.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";
import { exampleServer, exampleUrl } from "./mcp/example_server.ts";
import { sdkClient } from "./mcp/sdk_client.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(project, path), "utf8");

const call = (name: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: {} },
});

function post(url: string, token: string | undefined, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

test("examples/mcp-server started before Postern exits with a message and without a stack trace", async () => {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  await assert.rejects(exampleServer(await freePort(), issuer), ({ message }: Error) => {
    assert.equal(
      message,
      `the example ended: ${issuer} does not respond: start Postern first, or set ISSUER to its URL\n`,
    );
    return true;
  });
});

test("the example MCP server pins the tested package versions, and docs/mcp.md shows its manifest", () => {
  const { dependencies } = JSON.parse(read("examples/mcp-server/package.json"));
  const own = JSON.parse(read("package.json"));
  for (const [name, version] of Object.entries(dependencies))
    assert.equal(version, { ...own.dependencies, ...own.devDependencies }[name], name);
  const [, records] = read("examples/mcp-server/postern.yaml").split(/^(?=resources:)/m);
  assert.ok(records !== undefined && read("docs/mcp.md").includes(records));
});

test("docs/mcp.md quotes the sentences of postern doctor mcp", () => {
  const [, table = ""] = read("docs/mcp.md").split("| Message |");
  const [rows = ""] = table.split("\n\n");
  const quoted = [...rows.matchAll(/^\| `(.+?)` \|/gm)].map(([, sentence = ""]) => sentence);
  assert.ok(quoted.length > 5);
  // Values that differ between runs are template expressions in the source, and an ellipsis in the document.
  const probe = read("src/cli/doctor/probe.ts").replaceAll(/\$\{[^{}]*\}/g, "…");
  const unknown = quoted
    .flatMap((sentence) => sentence.split("…"))
    .filter((part) => !probe.includes(part.trim()));
  assert.deepEqual(unknown, []);
});

test("npm run examples -- mcp-server: the SDK signs in, calls a tool, and reaches a second one by step-up", async () => {
  const [port, TMPDIR] = [await freePort(), temporaryFolder()];
  const child = spawn(process.execPath, [join(project, "examples", "main.ts"), "mcp-server"], {
    env: { PATH: process.env.PATH, TMPDIR, PORT: String(port), POSTERN_PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const written = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (said) => {
    written.out += said;
  });
  child.stderr.setEncoding("utf8").on("data", (said) => {
    written.err += said;
  });
  try {
    const said = () => written.out.includes("Ctrl-C ends both") || child.exitCode !== null;
    await until(said, "the example says what to type", { seconds: 60 });
    const [, email = "", password = ""] = /as (\S+) with the password "(.+)"/.exec(written.out) ?? [];
    const url = exampleUrl(port);
    assert.ok(written.out.includes(`--transport http tools ${url}`), written.out + written.err);

    const refused = await post(url, undefined, call("whoami"));
    assert.equal(refused.status, 401);
    const metadata = `http://127.0.0.1:${port}/.well-known/oauth-protected-resource/mcp`;
    assert.equal(
      refused.headers.get("www-authenticate"),
      `Bearer scope="tools:read", resource_metadata="${metadata}"`,
    );

    const redirect_uri = `http://127.0.0.1:${await freePort()}/callback`;
    const client = sdkClient(url, { redirect_uri, person: { email, password } });
    assert.match(await client.call("whoami"), / with tools:read$/);
    assert.match(client.opened[0]?.searchParams.get("client_id") ?? "", /^[0-9a-f-]{36}$/);
    const { access_token = "" } = client.kept.tokens ?? {};
    const short = await post(url, access_token, call("count"));
    assert.equal(short.status, 403);
    const challenge = `Bearer error="insufficient_scope", scope="tools:read tools:write", resource_metadata="${metadata}"`;
    assert.equal(short.headers.get("www-authenticate"), challenge);
    // This SDK refreshes if it can, but a refresh gives no further scopes. Without a refresh token it signs
    // in again.
    client.kept.tokens = { access_token };
    assert.equal(await client.call("count"), "your counter is at 1");
    assert.equal(client.opened.length, 2);
  } finally {
    child.kill("SIGINT");
    await closed;
  }
  assert.equal(child.exitCode, 0, written.err);
  assert.deepEqual(
    readdirSync(TMPDIR).filter((name) => name.startsWith("postern-example-")),
    [],
  );
});

describe("the MCP server of examples/, with an authorization server whose key the test has", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  let keysStatus = 200;
  const authorizationServer = createServer(({ url }, response) => {
    const keys = [{ ...publicKey.export({ format: "jwk" }), kid: "one" }];
    const metadata = { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(url === "/keys" ? keysStatus : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(url === "/keys" ? { keys } : metadata));
  });
  let issuer: string;
  let url: string;
  let example: { stop(): Promise<void> };
  before(async () => {
    authorizationServer.listen(0, "127.0.0.1");
    await once(authorizationServer, "listening");
    issuer = `http://127.0.0.1:${(authorizationServer.address() as AddressInfo).port}`;
    const port = await freePort();
    url = exampleUrl(port);
    example = await exampleServer(port, issuer);
  });
  after(async () => {
    await example.stop();
    authorizationServer.close();
  });

  const usual = { sub: "ada", client_id: "tools", scope: "tools:read" };
  function token(changed: Record<string, unknown> = {}, header = {}, key = privateKey): Promise<string> {
    const seconds = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: issuer, aud: url, exp: seconds + 300, ...usual, ...changed })
      .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: "one", ...header })
      .sign(key);
  }

  test("if the issuer's keys cannot be fetched, the response is 503 and not an invalid token", async () => {
    keysStatus = 500;
    assert.equal((await post(url, await token(), call("whoami"))).status, 503);
    keysStatus = 200;
    const answer = await post(url, await token(), call("whoami"));
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /ada by tools with tools:read/);
  });

  const seconds = () => Math.floor(Date.now() / 1000);
  const bad: Record<string, () => string | Promise<string>> = {
    "no JWT": () => "nonsense",
    "one for another resource": () => token({ aud: `${url}/other` }),
    "one of another issuer": () => token({ iss: "http://127.0.0.1:1" }),
    "one that has expired": () => token({ exp: seconds() - 60 }),
    "one without an end": () => token({ exp: undefined }),
    "an id_token": () => token({}, { typ: "JWT" }),
    "one by another algorithm": () => token({}, { alg: "RS512" }),
    "one of a key of somebody else": () => token({}, {}, stranger),
    "one that names a key of nobody": () => token({}, { kid: "two" }),
    "one that is bound to a key": () => token({ cnf: { jkt: "thumbprint" } }),
  };
  for (const [what, made] of Object.entries(bad))
    test(`${what} is refused as 401 invalid_token`, async () => {
      const answer = await post(url, await made(), call("whoami"));
      assert.equal(answer.status, 401);
      assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer error="invalid_token", scope=/);
    });

  test("a token needs the scopes of every call in a batch; otherwise the response is 403", async () => {
    const batch = [call("whoami"), call("count")];
    for (const [body, input] of [
      [batch, {}],
      [call("whoami"), { scope: undefined }],
      [call("count"), { scope: "tools:write" }],
    ] as const)
      assert.equal((await post(url, await token(input), body)).status, 403);
  });

  test("a malformed request with a valid token is a client error, and a foreign Host header is refused", async () => {
    const good = await token();
    assert.equal((await post(url, good, "{")).status, 400);
    assert.equal((await post(url, good, "x".repeat(1_000_001))).status, 413);
    assert.equal((await fetch(url, { headers: { authorization: `Bearer ${good}` } })).status, 405);
    const rebound = request(url, { method: "POST", headers: { host: "rebound.example" } }).end();
    const [answer] = await once(rebound, "response");
    assert.equal(answer.statusCode, 421);
    await text(answer);
  });
});
