import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { browser } from "../support/browser.ts";
import { complaintsOf } from "../support/complaints.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { type Application, application } from "./application.ts";
import { ada, firstParty, manifest, redirect_uri, web } from "./registrations.ts";

const zoe = { email: "zoë@straße.example", name: "Zoë", password: ada.password } as const;

let application_: Application;
let served: ServedProcess;

before(async () => {
  application_ = await application();
  const apps = manifest.apps.map((app) =>
    "redirect_uris" in app ? { ...app, redirect_uris: [redirect_uri, application_.redirect_uri] } : app,
  );
  served = await servedProcess({ manifest: { ...manifest, users: [...manifest.users, zoe], apps } });
});
after(async () => {
  application_.close();
  await served.stop();
});

/** A browser without a session. `complaints` lists the errors that were found in our pages so far. */
interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
  end(): Promise<void>;
}

/** `origins` lists every origin to which a page may send requests. */
async function visit(origins: readonly string[], { javaScriptEnabled = true } = {}): Promise<Visit> {
  const context = await (await browser()).newContext({ javaScriptEnabled });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  // A refused sign-in is a 401 response, which Chromium reports as a resource that failed to load.
  const complaints = complaintsOf(page, /status of 40[01]/);
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    if (!origins.includes(origin) && origin !== "null") complaints.push(`a request to ${request.url()}`);
  });
  return { page, context, complaints, end: () => context.close() };
}

const usual = () => [served.url, new URL(application_.redirect_uri).origin];

function authorizeUrl(client_id: string, state: string, input: Record<string, string> = {}): string {
  const { redirect_uri } = application_;
  const request = {
    response_type: "code",
    client_id,
    redirect_uri,
    scope: "openid profile",
    state,
    nonce: "n",
  };
  return `${served.url}/oauth/authorize?${new URLSearchParams({ ...request, ...input })}`;
}

async function signIn(
  page: Page,
  { email, password }: { email: string; password: string } = ada,
): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Returns the parameters of the last callback. */
async function arrived(page: Page): Promise<URLSearchParams> {
  await page.waitForURL(`${application_.redirect_uri}?**`);
  const url = application_.arrivals.at(-1);
  assert.ok(url, "the application was called");
  return url.searchParams;
}

/** Moves the focus with the Tab key until it is on the button or link with this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    if ((await focused.count()) > 0 && (await focused.innerText()).trim() === name) return;
  }
  assert.fail(`the Tab key does not lead to ${name}`);
}

describe("in a browser", () => {
  test("L-1: a user signs in, consents and returns to the application without JavaScript and only by keyboard", async () => {
    const { page, complaints, end } = await visit(usual(), { javaScriptEnabled: false });
    await page.goto(authorizeUrl(web.client_id, "keyboard & é"));
    // The page itself moves the focus to this field, a moment after it has loaded.
    await page.getByLabel("Email").and(page.locator(":focus")).waitFor();
    await page.keyboard.type(ada.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(ada.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Allow Web to use your account?" }).waitFor();
    await tabTo(page, "Allow");
    await page.keyboard.press("Enter");
    const answer = await arrived(page);
    assert.ok(answer.get("code"));
    assert.equal(answer.get("state"), "keyboard & é");
    assert.equal(answer.get("iss"), served.url);
    assert.deepEqual(complaints, []);
    await end();
  });

  test("P-9: a user with a non-ASCII email signs in with it as typed, and with its domain in ASCII form", async () => {
    for (const email of [zoe.email, "zoë@xn--strae-oqa.example"]) {
      const { page, complaints, end } = await visit(usual());
      await page.goto(authorizeUrl(firstParty.client_id, email));
      await signIn(page, { ...zoe, email });
      assert.equal((await arrived(page)).get("state"), email);
      assert.deepEqual(complaints, []);
      await end();
    }
  });

  test("the page of \\`postern dev\\` leads through the code flow, from the first request to a revoked token", async () => {
    const dev = await servedProcess({ command: "dev" });
    const { page, complaints, end } = await visit([dev.url]);
    const click = (name: string | RegExp) => page.getByRole("button", { name }).click();
    const statuses = () => page.locator(".message-answer .status").allInnerTexts();
    const lastAnswer = () => page.locator(".message-answer pre").last().innerText();
    await page.goto(`${dev.url}/dev`);
    const [email = "", password = ""] = await page
      .locator(".dev-side .card")
      .first()
      .locator("code")
      .allInnerTexts();
    await click(/Start as .Acme Orders/);
    await signIn(page, { email, password });
    await click("Allow");
    await click("Exchange the code for tokens");
    await click(/UserInfo/);
    assert.match(await lastAnswer(), /ada@example\.com/);
    await click("Introspect the token");
    assert.match(await lastAnswer(), /"active": true/);
    await click("Refresh");
    assert.match(await lastAnswer(), /"refresh_token"/);
    await click("Revoke");
    await click("Introspect the token");
    assert.match(await lastAnswer(), /"active": false/);
    assert.deepEqual(new Set(await statuses()), new Set(["200"]));
    await click(/Get a token as/);
    assert.deepEqual(await statuses(), ["200"]);
    assert.deepEqual(complaints, []);
    await end();
    await dev.stop();
  });
});
