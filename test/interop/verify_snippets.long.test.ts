import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type FormBrowser, formBrowser, goThrough } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { ada, redirect_uri } from "./registrations.ts";

const api = { id: "01920000-0000-7000-8000-0000000000a1", identifier: "urn:example:orders" };
const bound = { id: "01920000-0000-7000-8000-0000000000a2", identifier: "https://api.example.com/bound" };
const other = "https://api.example.com/others";
const worker = { client_id: "worker", secret: "a worker's secret of decent length" };
const server = { client_id: "orders-api", secret: "the resource server's own secret" };
/** An app whose client_id is the identifier of the API, and therefore the audience of its id_tokens. */
const namesake = { client_id: api.identifier, secret: "the namesake's secret, long enough" };

const manifest = {
  users: [{ ...ada, is_platform_admin: true }],
  apps: [
    {
      owner: ada.email,
      client_id: worker.client_id,
      name: "Worker",
      app_type: "machine",
      allowed_scopes: ["orders:read", "orders:write"],
      allowed_grants: ["client_credentials"],
      secrets: [worker.secret],
    },
    {
      owner: ada.email,
      client_id: server.client_id,
      name: "Orders",
      app_type: "service",
      allowed_scopes: [],
      allowed_grants: [],
      secrets: [server.secret],
    },
    {
      owner: ada.email,
      client_id: namesake.client_id,
      name: "Namesake",
      redirect_uris: [redirect_uri],
      allowed_scopes: ["openid", "orders:read"],
      secrets: [namesake.secret],
    },
  ],
  resources: [
    {
      ...api,
      name: "Orders",
      scopes: { "orders:read": "See orders", "orders:write": null },
      access_token_signing_alg: "ES256",
      apps: [server.client_id],
    },
    { ...bound, name: "Bound", dpop_bound_access_tokens_required: true },
    { identifier: other, name: "Others", access_token_signing_alg: "ES256" },
  ],
};

let served: ServedProcess;
let browser: FormBrowser;

before(async () => {
  served = await servedProcess({ manifest, environment: { POSTERN_EXTRA_FEATURES: "dpop" } });
  browser = formBrowser();
  const login = await browser.follow(await browser.get(`${served.url}/console`));
  await browser.submit(login, { email: ada.email, password: ada.password });
});
after(() => served.stop());

async function pageOf({ id }: { id: string }): Promise<{ texts: string[]; body: string }> {
  const { status, body } = await browser.get(`${served.url}/console/resources/${id}`);
  assert.equal(status, 200, body);
  const texts = [...body.matchAll(/<pre class="snippet"[^>]*>([^<]*)<\/pre>/g)].map(([, text = ""]) =>
    text
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&"),
  );
  return { texts, body };
}

async function tokens(
  { client_id, secret }: { client_id: string; secret: string },
  parameters: Record<string, string>,
): Promise<Record<string, string>> {
  const credentials = [client_id, secret].map(encodeURIComponent).join(":");
  const answer = await fetch(`${served.url}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    body: new URLSearchParams(parameters),
  });
  const body = (await answer.json()) as Record<string, string>;
  assert.equal(answer.status, 200, JSON.stringify(body));
  return body;
}

const machineToken = async (resource: string | undefined, scope: string) =>
  (
    await tokens(worker, {
      grant_type: "client_credentials",
      scope,
      ...(resource !== undefined && { resource }),
    })
  ).access_token ?? "";

async function idToken(): Promise<string> {
  const address = new URL(`${served.url}/oauth/authorize`);
  address.search = String(
    new URLSearchParams({
      response_type: "code",
      client_id: namesake.client_id,
      redirect_uri,
      scope: "openid orders:read",
      state: "a-state",
    }),
  );
  const callback = await goThrough(formBrowser(), address.href, ada);
  const code = callback.searchParams.get("code") ?? "";
  const answer = await tokens(namesake, { grant_type: "authorization_code", code, redirect_uri });
  return answer.id_token ?? "";
}

const repository = fileURLToPath(new URL("../..", import.meta.url));
const execute = promisify(execFile);

/** Returns the result of a page's snippet for each token: its claims, or the code of the error. */
async function verdicts(
  snippet: string,
  presented: Record<string, string>,
): Promise<Record<string, { claims?: Record<string, unknown>; error?: string }>> {
  const folder = temporaryFolder();
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "verify_token.mjs"), snippet);
  writeFileSync(
    join(folder, "main.mjs"),
    `import { verifyToken } from "./verify_token.mjs";
    const verdicts = {};
    for (const [what, token] of Object.entries(JSON.parse(process.argv[2]))) {
      try { verdicts[what] = { claims: await verifyToken(token, "orders:read") }; }
      catch (error) { verdicts[what] = { error: [error.code, error.message].filter(Boolean).join(" ") }; }
    }
    console.log(JSON.stringify(verdicts));`,
  );
  const { stdout } = await execute(process.execPath, ["main.mjs", JSON.stringify(presented)], {
    cwd: folder,
  });
  return JSON.parse(stdout);
}

describe("the page of an API shows how to verify its tokens", () => {
  test("with jose: tokens for the API pass the snippet, and all others fail", async () => {
    const { texts } = await pageOf(api);
    const good = await machineToken(api.identifier, "orders:read orders:write");
    const [head = "", claims = "", signature = ""] = good.split(".");
    const forged = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), scope: "orders:read all" };
    const said = await verdicts(texts[0] ?? "", {
      good,
      audience: await machineToken(other, "orders:read"),
      own: await machineToken(undefined, "orders:read"),
      scope: await machineToken(api.identifier, "orders:write"),
      id_token: await idToken(),
      forged: [head, Buffer.from(JSON.stringify(forged)).toString("base64url"), signature].join("."),
      nonsense: "nonsense",
    });
    assert.equal(said.good?.claims?.aud, api.identifier);
    assert.equal(said.good?.claims?.client_id, worker.client_id);
    assert.match(said.audience?.error ?? "", /ERR_JWT_CLAIM_VALIDATION_FAILED unexpected "aud"/);
    // A token of an app with another algorithm, which is refused before its claims are read.
    assert.match(said.own?.error ?? "", /ERR_JOSE_ALG_NOT_ALLOWED/);
    assert.equal(said.scope?.error, "insufficient_scope");
    assert.match(said.id_token?.error ?? "", /ERR_JOSE_ALG_NOT_ALLOWED/);
    assert.match(said.forged?.error ?? "", /ERR_JWS_SIGNATURE_VERIFICATION_FAILED/);
    assert.match(said.nonsense?.error ?? "", /ERR_JW[ST]_INVALID/);

    // With the algorithm of the id_token allowed, only its type distinguishes it from an access token.
    const lax = (texts[0] ?? "").replace('["ES256"]', '["ES256", "RS256"]');
    const { id_token } = await verdicts(lax, { id_token: await idToken() });
    assert.match(id_token?.error ?? "", /ERR_JWT_CLAIM_VALIDATION_FAILED unexpected "typ"/);
  });

  test("with curl: the app named in the snippet introspects a token", async () => {
    const { texts } = await pageOf(api);
    const options = (texts.at(-1) ?? "").split("curl -sS ")[1] ?? "";
    assert.match(options, new RegExp(`^'${served.url}/oauth/introspect'`));
    assert.match(options, /-u orders-api:"\$OAUTH_CLIENT_SECRET"/);
    const folder = temporaryFolder();
    writeFileSync(join(folder, ".env"), `OAUTH_CLIENT_SECRET="${server.secret}"\n`);
    writeFileSync(join(folder, "curl"), `#!/bin/sh\nprintf '%s\\n' "$@"\n`, { mode: 0o755 });
    writeFileSync(join(folder, "ask.sh"), `set -eu\n${texts.at(-1)}\n`);
    const running = execute("sh", ["ask.sh"], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
    });
    const token = await machineToken(api.identifier, "orders:read");
    running.child.stdin?.end(`${token}\n`);
    const words = (await running).stdout.trim().split("\n");
    // The arguments of curl in order: address, credentials, form.
    const [, address = "", , credentials = "", , form = ""] = words;
    const answer = await fetch(address, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
      body: new URLSearchParams([form.split(/=(.*)/s, 2)]),
    });
    const body = (await answer.json()) as Record<string, unknown>;
    assert.equal(body.active, true);
    assert.deepEqual(body.aud, [api.identifier]);
    assert.equal(body.scope, "orders:read");
  });

  test("and says that DPoP proofs must be checked if the API requires bound tokens, and only then", async () => {
    const { texts, body } = await pageOf(bound);
    assert.match(body, /DPoP header must be checked as well/);
    assert.match(texts[0] ?? "", /payload\.cnf\?\.jkt === undefined/);
    assert.match(body, /None of them has a secret yet/);
    assert.equal(texts.length, 1);
    const plain = await pageOf(api);
    assert.doesNotMatch(plain.body, /DPoP header must be checked|cnf\?\.jkt/);
  });
});
