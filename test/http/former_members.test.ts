import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aPerson, hiddenField, signInAs, testApp, testBrowser } from "../support/app.ts";
import { anApp } from "../support/builders.ts";

const said = "https://app.example/signed-out";

describe("settings that an app still has in metadata", () => {
  test("the page and the form of an app list such settings, in the language of the reader", async () => {
    const it = await testApp();
    const owner = await aPerson(it);
    const app = await anApp(it.store, { owner_id: owner.id });
    const browser = testBrowser(it.app);
    await signInAs(browser, owner);
    const page = `/console/apps/${app.id}`;
    const follows = /contains post_logout_redirect_uris, which is now a field of its own/;
    const apart = /value of post_logout_redirect_uris in metadata differs from the field/;
    assert.doesNotMatch((await browser.get(page)).body, /metadata contains|in metadata differs/);

    // If a form sends only metadata, the server derives the field from it. The notice in the API's response
    // header is the same.
    const form = await browser.get(`${page}/edit`);
    const [csrf_token, etag] = [hiddenField(form, "csrf_token"), hiddenField(form, "etag")];
    const metadata = JSON.stringify({ post_logout_redirect_uris: [said] });
    const changed = await browser.post(`${page}/edit`, { csrf_token, etag, metadata });
    assert.equal(changed.statusCode, 303, changed.body);
    assert.deepEqual((await it.store.find("oauth_apps", { id: app.id }))?.post_logout_redirect_uris, [said]);
    for (const address of [String(changed.headers.location), `${page}/edit`]) {
      const { body } = await browser.get(address);
      assert.match(body, follows, address);
      assert.doesNotMatch(body, apart, address);
    }

    await it.store.update("oauth_apps", { id: app.id }, { post_logout_redirect_uris: [] });
    for (const address of [page, `${page}/edit`]) {
      const { body } = await browser.get(address);
      assert.match(body, apart, address);
      assert.doesNotMatch(body, follows, address);
    }
    const spanish = await browser.get(page, { "accept-language": "es" });
    assert.match(spanish.body, /tiene para post_logout_redirect_uris otro valor/);
  });
});
