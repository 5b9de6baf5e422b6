/**
 * `npm run interop:java`: signs in at the console's sample website for Spring, and checks that its sample
 * API accepts only tokens for that API. Maven and a JDK must be on the PATH.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { parseEnv, promisify } from "node:util";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { environmentFile, signInQuickstarts } from "../../src/console/apps/quickstarts.view.ts";
import { verifyPrograms } from "../../src/console/apps/verify_snippets.view.ts";
import { bearer, call, expectStatus, operatorsKey } from "../../test/interop/management.ts";
import { ada } from "../../test/interop/registrations.ts";
import { formBrowser, goThrough } from "../../test/support/form_browser.ts";
import { freePort } from "../../test/support/free_port.ts";
import { type ServedProcess, servedProcess } from "../../test/support/process.ts";
import { temporaryFolder } from "../../test/support/temp.ts";
import { until } from "../../test/support/until.ts";

const run = promisify(execFile);
const secret = "a secret of decent length: $pring";
const identifier = "https://api.example/orders";
const other = "https://api.example/other";

/**
 * Returns a project like the one that start.spring.io generates for these starters, without the parts that a
 * program does not need.
 */
function projectOf(starters: readonly string[]): string {
  const starter = (name: string) =>
    `<dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-${name}</artifactId></dependency>`;
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<parent>
<groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>4.0.7</version>
<relativePath/>
</parent>
<groupId>com.example</groupId><artifactId>demo</artifactId><version>0.0.1-SNAPSHOT</version>
<dependencies>${starters.map(starter).join("")}</dependencies>
<build><plugins><plugin>
<groupId>org.springframework.boot</groupId><artifactId>spring-boot-maven-plugin</artifactId>
</plugin></plugins></build>
</project>`;
}

/** Builds a program, starts it, and returns its address. */
async function started(
  starters: readonly string[],
  files: readonly { readonly path?: string; readonly text: string }[],
  environment: NodeJS.Dict<string>,
): Promise<string> {
  const folder = temporaryFolder();
  for (const { path = "", text } of [{ path: "pom.xml", text: projectOf(starters) }, ...files]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await run("mvn", ["-q", "-B", "package"], { cwd: folder });
  const port = String(await freePort());
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...environment, SERVER_ADDRESS: "127.0.0.1", PORT: port, SERVER_PORT: port };
  const child = spawn("java", ["-jar", "target/demo-0.0.1-SNAPSHOT.jar"], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const closed = once(child, "close");
  after(async () => {
    child.kill("SIGTERM");
    await closed;
  });
  const url = `http://localhost:${port}`;
  await until(
    async () => {
      assert.equal(child.exitCode, null, "the program ended");
      return (await fetch(url, { redirect: "manual" }).catch(() => undefined)) !== undefined;
    },
    "it listens",
    { seconds: 60 },
  );
  return url;
}

/** Returns the server's keys with an additional one, which signs tokens that the server would not issue. */
async function keysOf(issuer: string) {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const { keys } = (await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as { keys: JWK[] };
  keys.push({ ...(await exportJWK(publicKey)), kid: "one-more", alg: "RS256", use: "sig" });
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sign: (claims: JWTPayload, typ = "at+jwt") =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", typ, kid: "one-more" }).sign(privateKey),
  };
}

describe("the console's programs for Spring", () => {
  const callback = "http://localhost:8080/callback";
  let served: ServedProcess;
  before(async () => {
    const site = { client_id: "site: $5", name: "Site", owner: ada.email, secrets: [secret] };
    const worker = { client_id: "worker", name: "Worker", owner: ada.email, secrets: [secret] };
    served = await servedProcess({
      environment: { POSTERN_EXTRA_FEATURES: "logout_notices", POSTERN_OUTBOUND_ALLOW: "127.0.0.1" },
      manifest: {
        users: [{ ...ada, is_platform_admin: true }],
        resources: [
          { identifier, name: "Orders", scopes: { "orders:read": null, "orders:write": null } },
          { identifier: other, name: "Other", scopes: { other: null, "orders:read": null } },
        ],
        apps: [
          {
            ...site,
            kind: "website",
            redirect_uris: [callback],
            allowed_scopes: ["openid", "profile", "email"],
          },
          { ...worker, kind: "machine", allowed_scopes: ["orders:read", "orders:write", "other"] },
        ],
      },
    });
  });
  after(() => served.stop());

  const app = {
    issuer: "",
    client_id: "site: $5",
    public: false,
    proves_keys: false,
    in_browser: false,
    on_device: false,
    rsa_id_tokens: true,
    sign_in: { redirect_uri: callback, scope: "openid profile email" },
    machine: undefined,
  };
  const comments = { open: "", back: "", paste: secret, unregistered: "" };

  /** Starts the console's sample website after modifying it with `changed`, and signs the user in. */
  async function signedInSite(changed = (text: string) => text) {
    const site = { ...app, issuer: served.url };
    const files = signInQuickstarts(site, comments).find(({ stack }) => stack === "spring")?.files ?? [];
    const url = await started(
      ["webmvc", "security", "security-oauth2-client"],
      files.map(({ text, ...file }) => ({ ...file, text: changed(text) })),
      parseEnv(environmentFile(site, comments)),
    );
    const browser = formBrowser();
    const first = await browser.follow(await browser.get(`${url}/`));
    const back = await goThrough(browser, first.location ?? "", ada);
    back.host = new URL(url).host;
    assert.equal((await browser.get(back.href)).location, `${url}/?continue`);
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const home = () => fetch(url, { headers: { cookie }, redirect: "manual" });
    assert.equal(await (await home()).text(), `Signed in as ${ada.name}`);
    return { url, home };
  }

  test("a website signs a user in", async () => {
    await signedInSite();
  });

  test("BL-1: Spring Security verifies a logout token, ends the session, and refuses an altered token", async () => {
    const withNotices = (text: string) =>
      text
        .replace(
          "import org.springframework.security.config.",
          "import org.springframework.security.config.Customizer;\n$&",
        )
        .replace(".logout(", ".oidcLogout(logout -> logout.backChannel(Customizer.withDefaults()))\n$&");
    // The back-channel logout URI is registered before the sign-in, because Postern sends logout tokens only
    // for later sign-ins.
    const port = await freePort();
    const heard: { readonly body: string; readonly status: number }[] = [];
    let site = "";
    const forward = createServer(async (request, response) => {
      const body = await text(request);
      const answer = await fetch(`${site}/logout/connect/back-channel/postern`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body,
      });
      heard.push({ body, status: answer.status });
      response.writeHead(answer.status).end();
    }).listen(port, "127.0.0.1");
    await once(forward, "listening");
    after(() => forward.close());
    const proof = bearer(await operatorsKey(served, ada.email));
    const ask = async (method: string, path: string, body?: unknown) =>
      expectStatus(await call(served.url, method, `/api/v1/${path}`, { proof, body }), 200).json;
    const apps = (await ask("GET", "apps")).data as { readonly id: string; readonly client_id: string }[];
    const registered = apps.find(({ client_id }) => client_id === app.client_id);
    await ask("PATCH", `apps/${registered?.id}`, {
      backchannel_logout_uri: `http://127.0.0.1:${port}/`,
      backchannel_logout_internal: true,
    });
    const { url, home } = await signedInSite(withNotices);
    site = url;
    const [user] = (await ask("GET", "users")).data as { readonly id: string }[];
    await ask("POST", `users/${user?.id}/sign-out`, {});
    await until(() => heard.length > 0);
    const [{ body = "", status = 0 } = {}] = heard;
    assert.ok([200, 204].includes(status), String(status));
    await until(async () => (await home()).status === 302, "the website's session ended");

    const [head = "", payload = "", signature = ""] = (
      new URLSearchParams(body).get("logout_token") ?? ""
    ).split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const altered = Buffer.from(JSON.stringify({ ...claims, sub: "eve" })).toString("base64url");
    const refused = await fetch(`${url}/logout/connect/back-channel/postern`, {
      method: "POST",
      body: new URLSearchParams({ logout_token: [head, altered, signature].join(".") }),
    });
    assert.equal(refused.status, 400);
  });

  test("an API accepts its tokens and no others", async () => {
    const known = await keysOf(served.url);
    const api = {
      issuer: served.url,
      jwks_uri: known.url,
      introspection_endpoint: "",
      identifier,
      algorithms: ["RS256"],
      scope: "orders:read",
      bound: false,
      client_id: undefined,
    };
    const text = verifyPrograms(api).find(({ stack }) => stack === "spring")?.text ?? "";
    const path = "src/main/java/com/example/demo/DemoApplication.java";
    const url = await started(
      ["webmvc", "security", "security-oauth2-resource-server"],
      [{ path, text }],
      {},
    );
    const status = async (token: string) =>
      (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;

    const good = await tokenOf(identifier, "orders:read");
    assert.equal(await status(good), 200);
    assert.equal(await status(await tokenOf(identifier, "orders:write")), 403);
    assert.equal(await status(await tokenOf(other, "orders:read")), 401);
    assert.equal(await status("no.token.atall"), 401);
    const [head = "", payload = "", signature = ""] = good.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const altered = Buffer.from(JSON.stringify({ ...claims, sub: "eve" })).toString("base64url");
    assert.equal(await status([head, altered, signature].join(".")), 401);

    assert.equal(await status(await known.sign(claims)), 200);
    const { client_id: _, ...ofNobody } = claims;
    const bad = [
      // Spring tolerates a clock difference of one minute.
      await known.sign({ ...claims, exp: claims.iat - 120 }),
      await known.sign({ ...claims, iss: "https://id.example" }),
      await known.sign(ofNobody),
      await known.sign(claims, "JWT"),
    ];
    for (const token of bad) assert.equal(await status(token), 401, token);
  });

  async function tokenOf(resource: string, scope: string): Promise<string> {
    const worker = { client_id: "worker", client_secret: secret };
    const answer = await fetch(`${served.url}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials", ...worker, resource, scope }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    return access_token;
  }
});
