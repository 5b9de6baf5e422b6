import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { sha256Base64url } from "../../src/crypto/digest.ts";
import { basic } from "../support/flows.ts";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { ada, manifest, redirect_uri, web } from "./registrations.ts";

let served: ServedProcess;

before(async () => {
  served = await servedProcess({ manifest, environment: { POSTERN_LOG_LEVEL: "trace" } });
});
after(() => served.stop());

/** Writes bytes to a new socket, and returns everything received until the server closes it. */
function exchange(...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(served.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text) => {
      received += text;
    });
    socket.on("close", () => resolve(received)).on("error", reject);
    socket.setTimeout(10_000, () => socket.destroy(new Error(`no end; so far: ${received}`)));
    socket.write(lines.join("\r\n"));
  });
}

const head = (path: string) => [`POST ${path} HTTP/1.1`, "Host: localhost", "Connection: close"];

test("H-7: even at log level trace, no code, token, secret, password, cookie, state or verifier is logged", async () => {
  const code_verifier = "marker-verifier-0123456789-0123456789-0123456789";
  const query = {
    response_type: "code",
    client_id: web.client_id,
    redirect_uri,
    scope: "openid profile offline_access",
    state: "marker-of-the-state",
    nonce: "marker-of-the-nonce",
    code_challenge: sha256Base64url(code_verifier),
    code_challenge_method: "S256",
  };
  const url = `${served.url}/oauth/authorize?${new URLSearchParams(query)}`;
  const browser = formBrowser();
  const login = await browser.follow(await browser.get(url));
  const secrets = new Map<string, string>([
    ["verifier", code_verifier],
    ["challenge", query.code_challenge],
    ["state", query.state],
    ["nonce", query.nonce],
    ["password", ada.password],
    ["client secret", web.secret],
    ["wrong password", "marker-of-a-wrong-password"],
    ["wrong secret", "marker-of-a-wrong-secret"],
    ["secret in the query", "marker-in-the-query"],
    ["made-up token", "marker-of-a-token-made-up"],
    ["made-up cookie", "marker-of-a-cookie-made-up"],
  ]);
  const secret = (name: string) => secrets.get(name) ?? "";
  const keep = (name: string, value: unknown) => secrets.set(name, String(value));
  const note = () => {
    for (const [name, value] of browser.cookies) keep(`cookie ${name} ${secrets.size}`, value);
  };

  note();
  await browser.submit(login, { email: ada.email, password: secret("wrong password") });
  const callback = await goThrough(browser, url, ada);
  note();
  keep("code", callback.searchParams.get("code"));

  const post = async (
    path: string,
    body: Record<string, string>,
    authorization = basic(web.client_id, web.secret),
  ) => {
    keep(`authorization ${path}`, authorization.slice("Basic ".length));
    const init = { method: "POST", headers: { authorization }, body: new URLSearchParams(body) };
    return (await (await fetch(`${served.url}${path}`, init)).json()) as Record<string, unknown>;
  };
  const exchangeForm = {
    grant_type: "authorization_code",
    code: secret("code"),
    redirect_uri,
    code_verifier,
  };
  const tokens = await post("/oauth/token", exchangeForm);
  for (const name of ["access_token", "refresh_token", "id_token"]) keep(name, tokens[name]);
  const refreshForm = { grant_type: "refresh_token", refresh_token: secret("refresh_token") };
  const refreshed = await post("/oauth/token", refreshForm);
  for (const name of ["access_token", "refresh_token", "id_token"]) keep(`second ${name}`, refreshed[name]);
  const bearer = { authorization: `Bearer ${secret("second access_token")}` };
  assert.equal((await fetch(`${served.url}/oauth/userinfo`, { headers: bearer })).status, 200);
  await post("/oauth/introspect", { token: secret("second access_token") });
  await post("/oauth/introspect", { token: secret("made-up token") });

  // Failures are logged in more detail than successes.
  await post("/oauth/token", exchangeForm);
  await post("/oauth/token", refreshForm);
  await post("/oauth/token", refreshForm, basic(web.client_id, secret("wrong secret")));
  await post("/oauth/token", { ...refreshForm, client_secret: web.secret });
  await post(`/oauth/token?client_secret=${secret("secret in the query")}`, {
    grant_type: "password",
    password: ada.password,
  });
  await post("/oauth/revoke", { token: secret("second refresh_token") });
  await fetch(`${served.url}/oauth/userinfo?access_token=${secret("made-up token")}`);
  await fetch(`${served.url}/login?redirect=${encodeURIComponent(url)}`, {
    headers: { cookie: `postern_session=${secret("made-up cookie")}` },
  });
  const end = `${served.url}/oauth/logout?id_token_hint=${secret("id_token")}&state=${query.state}`;
  await browser.follow(await browser.get(end));
  await exchange(
    ...head("/oauth/token"),
    `Cookie: ${secret("made-up cookie")}`,
    "Content-Length: x",
    "",
    secret("code"),
  );

  const { out, err } = await served.stop();
  assert.match(out, /"route":"\/oauth\/token"/, "there is something to search");
  assert.match(out, /"level":"debug"/);
  for (const [name, value] of secrets) {
    assert.ok(value.length > 6 && value !== "undefined" && value !== "null", `${name} is a marker`);
    for (const spelling of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) {
      assert.ok(!out.includes(spelling) && !err.includes(spelling), `${name} is nowhere in the output`);
    }
  }
});
