/** Responses that Chromium posts to an application as a form, with and without scripts. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { aPerson, password, type TestApp, testApp } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { anApp } from "../support/builders.ts";
import { complaintsOf } from "../support/complaints.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { freePort } from "../support/free_port.ts";

/** Starts an application that stores posted responses, and redirects to its first page. */
async function application() {
  const posted: URLSearchParams[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      posted.push(new URLSearchParams(await text(request)));
      return void response.writeHead(302, { location: "/" }).end();
    }
    response.writeHead(200, { "content-type": "text/html" }).end("<title>App</title><h1>Back</h1>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, posted, close: () => server.close().closeAllConnections() };
}

let it: TestApp;
let url: string;
let website: Awaited<ReturnType<typeof application>>;
let app: OAuthApp;

before(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  it = await testApp({ base_url: url, settings: { extra_features: ["form_post"] } });
  await it.app.listen({ host: "127.0.0.1", port });
  website = await application();
  app = await anApp(it.store, { redirect_uris: [`${website.origin}/signin-oidc?tenant=a`], name: "Website" });
});
after(async () => {
  website.close();
  await it.app.close();
});

const state = `CfDJ8"'<&>+é${"Nk3vT-q_".repeat(186)}`;
const address = () =>
  `${url}/oauth/authorize?${formOf(authorizeParameters(app, { response_mode: "form_post", state }))}`;

for (const javaScriptEnabled of [true, false]) {
  test(`PR-67: in Chromium ${javaScriptEnabled ? "the form is posted at once" : "without scripts a button posts the form"}, after Allow and after Deny`, async () => {
    const { email } = await aPerson(it);
    const context = await (await browser()).newContext({ javaScriptEnabled });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    website.posted.length = 0;
    for (const decision of ["Deny", "Allow"]) {
      await page.goto(address());
      if (decision === "Deny") {
        await page.getByLabel("Email").fill(email);
        await page.getByLabel("Password").fill(password);
        await press("Sign in");
      }
      await press(decision);
      if (!javaScriptEnabled) {
        await page.getByText(website.origin).waitFor();
        await press("Continue");
      }
      await page.waitForURL(`${website.origin}/`);
    }
    assert.deepEqual(
      website.posted.map((form) => [form.get("error"), form.has("code"), form.get("state"), form.get("iss")]),
      [
        ["access_denied", false, state, url],
        [null, true, state, url],
      ],
    );
    assert.deepEqual(complaints, []);
    await context.close();
  });
}
