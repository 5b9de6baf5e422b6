/** The pictures that pages show (docs/decisions/pages.md). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pictureSources } from "../../src/http/pictures.ts";
import { checkNew } from "../../src/records/formats/check.ts";
import { aPerson, signInAs, type TestApp, testApp, testBrowser } from "../support/app.ts";
import { aMembership, anApp, anOrganization } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";

const foreign = "https://evil.test/pixel.png?reader=1";
const vouched = "https://cdn.example.com/logo.png";
const inline = "data:image/png;base64,iVBORw0KGgo=";

/** Returns every page that shows a picture whose URL another user or an organization chose. */
async function pagesWith(it: TestApp, logo_url: string) {
  const { store } = it;
  const settings = { brand: { name: "Globex", logo_url } };
  const organization = await anOrganization(store, { logo_url, settings });
  const app = await anApp(store, { organization_id: organization.id, logo_url });
  const locale = await aPerson(it, { avatar_url: logo_url });
  await aMembership(store, { user_id: locale.id, organization_id: organization.id, role: "owner" });
  const browser = testBrowser(it.app);
  const request = `/oauth/authorize?${formOf(authorizeParameters(app))}`;
  const login = await browser.get(String((await browser.get(request)).headers.location));
  await signInAs(browser, locale);
  const paths = [
    request,
    "/account",
    "/account/organizations",
    `/console/apps/${app.id}`,
    `/console/organizations/${organization.id}`,
    `/oauth/logout?client_id=${app.client_id}`,
  ];
  const pages = [login];
  for (const path of paths) pages.push(await browser.get(path));
  for (const page of pages) assert.equal(page.statusCode, 200);
  return pages;
}

const sourcesIn = (body: string) => [...body.matchAll(/<img [^>]*src="([^"]+)"/g)].map(([, src]) => src);

describe("pictures on pages", () => {
  test("P-8: pages load no picture from a host that a tenant chose (security finding 23)", async () => {
    const it = await testApp({ throttle: false });
    for (const page of await pagesWith(it, foreign)) {
      assert.match(String(page.headers["content-security-policy"]), /img-src 'self' data:;/);
      assert.deepEqual(sourcesIn(page.body), []);
    }
  });

  test("P-8: pictures are loaded only from hosts listed by the operator, exactly as listed (security finding 23)", async () => {
    const it = await testApp({ throttle: false, picture_hosts: ["cdn.example.com"] });
    const pages = await pagesWith(it, vouched);
    for (const { headers } of pages) {
      assert.match(
        String(headers["content-security-policy"]),
        /img-src 'self' data: https:\/\/cdn\.example\.com;/,
      );
    }
    const [login, consent] = pages.map(({ body }) => sourcesIn(body));
    assert.deepEqual([login, consent], [[vouched], [vouched, vouched]]);
    for (const other of [
      "https://cdn.example.com:8443/a",
      "http://cdn.example.com/a",
      "https://x.cdn.example.com/a",
    ]) {
      for (const { body } of await pagesWith(it, other)) assert.deepEqual(sourcesIn(body), []);
    }
  });

  test("P-8: a picture stored in the record itself is shown (security finding 23)", async () => {
    const it = await testApp({ throttle: false });
    const [login, consent] = (await pagesWith(it, inline)).map(({ body }) => sourcesIn(body));
    assert.deepEqual([login, consent], [[inline], [inline, inline]]);
  });

  test("a saved picture that will not be shown is reported, with the host that is missing", async () => {
    const named = async (logo_url: string) => {
      const it = await testApp({ throttle: false, picture_hosts: ["cdn.example.com"] });
      const pages = (await pagesWith(it, logo_url)).map(({ body }) => body);
      const [account = "", , app = "", organization = ""] = pages.slice(2);
      return [
        account.includes("Pages here do not show pictures from evil.test."),
        app.includes("Logo: pages do not show this picture, because its host, evil.test, is not in"),
        organization.split("evil.test, is not in POSTERN_PICTURE_HOSTS").length - 1,
      ];
    };
    assert.deepEqual(await named(foreign), [true, true, 2]);
    assert.deepEqual(await named(vouched), [false, false, 0]);
    assert.deepEqual(await named(inline), [false, false, 0]);
  });

  test("P-8: the operator's own logo needs no listing (security finding 23)", () => {
    const brand = { logo_url: "https://umbrella.example/logo.svg" };
    assert.equal(pictureSources({ brand }), "'self' data: https://umbrella.example");
    assert.equal(pictureSources({ brand: { logo_url: "/logo.svg" } }), "'self' data:");
  });

  test("P-8: URLs and small embedded pictures are accepted, but no embedded documents (security finding 23)", () => {
    const errorsWith = (logo_url: string) => {
      const organization = { name: "A", slug: "a", logo_url, settings: { brand: { logo_url } } };
      return checkNew("organizations", organization).errors.flatMap(({ path }) =>
        path.includes("logo_url") ? [path] : [],
      );
    };
    for (const logo_url of [foreign, vouched, inline]) assert.deepEqual(errorsWith(logo_url), []);
    for (const logo_url of [
      ...["data:image/svg+xml;base64,PHN2Zy8+", "data:image/png,raw", "data:text/html;base64,PHN2Zy8+"],
      ...["data:image/png;base64,"],
    ]) {
      assert.deepEqual(errorsWith(logo_url), ["/logo_url", "/settings/brand/logo_url"], logo_url);
    }
  });
});
