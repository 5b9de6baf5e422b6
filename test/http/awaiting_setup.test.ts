/** A server without any account. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeSetupLink, setupLinkHours } from "../../src/people/entry/setup.ts";
import { unitText } from "../../src/web/html/formats.ts";
import { languages, languageTag } from "../../src/web/words/language.ts";
import { wordsOf } from "../../src/web/words/words.ts";
import { aPerson, testApp, testBrowser } from "../support/app.ts";

test("until setup, the page says in every language where the setup link is and how to get another, and shows none", async () => {
  const it = await testApp();
  const link = (await makeSetupLink(it.identity)) ?? "";
  for (const language of languages) {
    const { statusCode, body } = await testBrowser(it.app).get("/", { "accept-language": language });
    const { waiting } = wordsOf(language).setup;
    assert.equal(statusCode, 200);
    const again = waiting.again(unitText(setupLinkHours, "hour", languageTag(language), "long"));
    for (const sentence of Object.values({ ...waiting, again }))
      assert.ok(body.includes(sentence), `${language} ${sentence}`);
    assert.ok(!body.includes("/setup") && !body.includes(link.split("=")[1] ?? "token"), language);
  }
  for (const at of ["/console", "/console/apps?q=x"]) {
    const browser = testBrowser(it.app);
    const login = await browser.get(String((await browser.get(at)).headers.location));
    assert.deepEqual([login.statusCode, login.headers.location], [302, "/"], at);
  }
  assert.equal(
    (await testBrowser(it.app).get("/setup")).headers.location,
    "/",
    "an address without its token",
  );
  await aPerson(it);
  const browser = testBrowser(it.app);
  assert.equal((await browser.get("/")).headers.location, "/login");
  assert.equal((await browser.get("/login?redirect=%2Fconsole")).statusCode, 200);
});
