/** The visible part of the consent page before scrolling, on a small phone and on a laptop. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readAssets } from "../../src/web/assets.ts";
import { consentPage } from "../../src/web/pages/consent_page.ts";
import { scopeDescriptions } from "../../src/web/scope_descriptions.ts";
import { languages } from "../../src/web/words/language.ts";
import { browser } from "../support/browser.ts";
import { anOpenConsent } from "../web/open_consent_samples.ts";
import { aReader } from "../web/reader.ts";

const names = ["openid", "profile", "email", "offline_access", "orders:read"];
const css = String(readAssets().find(({ path }) => path.endsWith(".css"))?.body);

/** Returns the positions of the parts on the screen, in pixels from its top. Evaluated in the page. */
const places = `(() => {
  const bottomOf = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
  return {
    buttons: [...document.querySelectorAll(".deciding button")].map((each) => each.getBoundingClientRect().bottom),
    buttonsTop: document.querySelector(".decisions").getBoundingClientRect().top,
    goesTo: bottomOf(".deciding code"),
    scopes: [...document.querySelectorAll(".scopes li")].filter((each) => each.checkVisibility()).length,
    sideways: document.documentElement.scrollWidth > innerWidth,
  };
})()`;

type Places = {
  buttons: number[];
  buttonsTop: number;
  goesTo: number;
  scopes: number;
  sideways: boolean;
};

describe("the consent page on a phone of 375 by 667 pixels", () => {
  test("shows both buttons, three of five scopes and the redirect target without scrolling", async () => {
    const page = await (await browser()).newPage({ viewport: { width: 375, height: 667 } });
    for (const language of languages) {
      const locale = aReader(language);
      const described = scopeDescriptions(names, locale, () => undefined);
      const consent = consentPage({
        ...locale,
        client: {
          name: "Acme Orders",
          description: "Orders and invoices for your team",
          owner_name: "Ada Lovelace",
          first_time: true,
          unverified: false,
          links: {
            client_uri: "https://acme.example/",
            policy_uri: "https://acme.example/privacy",
            tos_uri: "https://acme.example/terms",
          },
        },
        user: { name: "Grace Hopper", email: "grace.hopper@example.com" },
        scopes: names.map((name, index) => ({ name, already_granted: false, ...described[index] })),
        redirect_to: "https://orders.acme.example",
        csrf_token: "t",
        request: "r",
        switch_account_href: "/login",
      });
      await page.setContent(String(consent));
      await page.addStyleTag({ content: css });
      const { buttons, buttonsTop, goesTo, scopes, sideways } = (await page.evaluate(places)) as Places;
      assert.equal(buttons.length, 2, language);
      assert.ok(Math.max(...buttons) <= 667, `${language}: the buttons end at ${Math.max(...buttons)}`);
      assert.ok(
        goesTo <= buttonsTop,
        `${language}: the buttons hide where it leads: ${goesTo}, ${buttonsTop}`,
      );
      assert.equal(scopes, 3, language);
      assert.equal(sideways, false, language);
    }
    await page.close();
  });
});

describe("the consent page on a laptop of 1280 by 800 pixels", () => {
  test("shows the redirect target above the buttons, for any number of scopes", async () => {
    const page = await (await browser()).newPage({ viewport: { width: 1280, height: 800 } });
    const resources = ["orders", "invoices", "stock"].map((name) => ({
      name,
      identifier: `https://${name}.acme.example/api`,
    }));
    for (const language of languages) {
      await page.setContent(anOpenConsent(language, { resources }));
      await page.addStyleTag({ content: css });
      const { buttons, buttonsTop, goesTo } = (await page.evaluate(places)) as Places;
      assert.ok(Math.max(...buttons) <= 800, `${language}: the buttons end at ${Math.max(...buttons)}`);
      assert.ok(goesTo <= buttonsTop, `${language}: ${goesTo}, ${buttonsTop}`);
    }
    await page.close();
  });
});
