/**
 * oidc-client-ts in Chromium, by redirect and by popup. `fetch` is instrumented as by Sentry, Datadog and
 * OpenTelemetry: each request to the server has headers that are not part of OAuth.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { complaintsOf } from "../../../test/support/complaints.ts";
import { signInAndAllow, visitor, waitForSignedOut, website } from "./chromium.ts";
import type { Program } from "./program.ts";
import { person, posternFor } from "./scenario.ts";

const client_id = "oidc-client-ts";
const entry = createRequire(import.meta.url).resolve("oidc-client-ts");
const library = join(dirname(entry), "..", "browser", "oidc-client-ts.min.js");

const instrumented = `
const plain = window.fetch;
window.fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  headers.set("tracestate", "vendor=1");
  headers.set("baggage", "sentry-environment=production");
  headers.set("sentry-trace", "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1");
  headers.set("x-datadog-trace-id", "8448eb211c80319c");
  headers.set("x-datadog-origin", "rum");
  return plain(input, { ...init, headers });
};`;

/** Returns the page of the application, which is also its redirect URI. */
function pageOf(settings: object): string {
  return `<!doctype html><title>The application</title>
<script>${instrumented}</script>
<script src="/oidc-client-ts.js"></script>
<script>
const userStore = new oidc.WebStorageStateStore({ store: localStorage });
const users = new oidc.UserManager({ ...${JSON.stringify(settings)}, userStore });
const show = async () => {
  const user = await users.getUser();
  document.title = user === null ? "Signed out" : "Signed in as " + user.profile.name;
};
const returned = {
  "/callback": () => users.signinCallback(),
  "/signed-out": () => users.signoutCallback(),
}[location.pathname];
Promise.resolve(returned?.()).then(show, (error) => { document.title = String(error); });
</script>`;
}

interface Way {
  readonly name: "redirect" | "popup";
  /** Starts the sign-in or sign-out, and does what the user does at the server. */
  signIn(page: Page): Promise<void>;
  signOut(page: Page): Promise<void>;
}

/**
 * Evaluates the call, which opens a popup, and waits until the popup has closed and the call has
 * resolved.
 */
async function byPopup(page: Page, call: string, inPopup: (popup: Page) => Promise<void>): Promise<void> {
  const opened = page.waitForEvent("popup");
  const answered = page.evaluate(`${call}.then(() => show())`);
  const popup = await opened;
  const closed = popup.waitForEvent("close");
  await Promise.all([inPopup(popup), answered, closed]);
}

const ways: readonly Way[] = [
  {
    name: "redirect",
    async signIn(page) {
      await page.evaluate("void users.signinRedirect()");
      await signInAndAllow(page);
    },
    signOut: (page) => page.evaluate("void users.signoutRedirect()"),
  },
  {
    name: "popup",
    signIn: (page) => byPopup(page, "users.signinPopup()", signInAndAllow),
    signOut: (page) => byPopup(page, "users.signoutPopup()", async () => {}),
  },
];

async function run(context: TestContext, way: Way): Promise<void> {
  const sources = new Map<string, readonly [type: string, text: string]>([
    ["/oidc-client-ts.js", ["text/javascript", readFileSync(library, "utf8")]],
  ]);
  const send = (response: ServerResponse, [type, text]: readonly [string, string]) =>
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(text);
  const origin = await website(context, (request, response) => {
    const { pathname } = new URL(request.url ?? "/", origin);
    send(response, sources.get(pathname) ?? sources.get("page") ?? ["text/plain", ""]);
  });
  const served = await posternFor(context, {
    client_id,
    kind: "browser",
    redirect_uris: [`${origin}/callback`],
    post_logout_redirect_uris: [`${origin}/signed-out`],
  });
  const settings = {
    authority: served.url,
    client_id,
    redirect_uri: `${origin}/callback`,
    post_logout_redirect_uri: `${origin}/signed-out`,
    scope: "openid profile email",
    loadUserInfo: true,
    automaticSilentRenew: false,
  };
  sources.set("page", ["text/html", pageOf(settings)]);

  const visiting = await visitor(context);
  const complaints: string[] = [];
  visiting.on("page", (page) => {
    const its = complaintsOf(page, /the server responded with a status of 404/);
    page.on("close", () => complaints.push(...its));
  });
  const page = await visiting.newPage();
  await page.goto(origin);
  await way.signIn(page);
  await page.waitForFunction(`document.title === "Signed in as ${person.name}"`);

  const second = await visiting.newPage();
  await second.goto(origin);
  await second.waitForFunction(`document.title === "Signed in as ${person.name}"`);
  const refreshed = "Promise.all([users.signinSilent(), users.signinSilent()]).then((all) => all.length)";
  for (let round = 0; round < 2; round++)
    assert.deepEqual(await Promise.all([page, second].map((tab) => tab.evaluate(refreshed))), [2, 2]);
  const userinfo = `users.getUser().then(({ access_token }) =>
    fetch("${served.url}/oauth/userinfo", { headers: { authorization: "Bearer " + access_token } }))
    .then(({ status }) => status)`;
  assert.equal(await page.evaluate(userinfo), 200);

  await way.signOut(page);
  await page.waitForFunction('document.title === "Signed out"');
  await waitForSignedOut(visiting, served.url);
  for (const each of [second, page]) await each.close();
  assert.deepEqual(complaints, []);
}

export const oidcClientTs: readonly Program[] = ways.map((way) => ({
  name: `oidc-client-ts-${way.name}`,
  needs: [],
  run: (context) => run(context, way),
}));
