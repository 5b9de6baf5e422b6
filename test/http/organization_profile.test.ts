/** The page of one organization, on which its own administrators land. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { User } from "../../src/records/definition/definition.ts";
import { aPerson, browserOf, type TestBrowser } from "../support/app.ts";
import { aMembership, anInvitation, anOrganization, aProvider } from "../support/builders.ts";
import { type ConsoleFixture, consoleFixture } from "../support/console.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";

let it: ConsoleFixture;
let ann: User;
let browser: TestBrowser;
let path: string;

before(async () => {
  it = await consoleFixture();
  const organization_id = it.acme.id;
  path = `/console/organizations/${organization_id}/profile`;
  ann = await aPerson(it, { name: "Ann <b>", email: "ann@acme.example" });
  await aMembership(it.store, { user_id: ann.id, organization_id, role: "admin" });
  const max = await aPerson(it, { name: "Max", email: "max@acme.example", last_login_at: it.clock.now() });
  await aMembership(it.store, { user_id: max.id, organization_id, role: "member" });
  await anAuthenticatorApp(max, it.identity);
  await aProvider(it.store, { organization_id, slug: "acme-login", label: "Acme login" });
  await anInvitation(it.store, { organization_id, email: "new@acme.example", invited_by: ann.id });
  browser = await browserOf(it, ann);
});

const main = ({ body }: { readonly body: string }) => body.split("<main")[1] ?? "";
const partOf = (page: { readonly body: string }, title: string) =>
  main(page)
    .split('<section class="card">')
    .find((part) => part.includes(`<h2>${title}</h2>`)) ?? "";

describe("the page of one organization", () => {
  test("is where its administrator lands, with the dashboard one link away", async () => {
    const landed = await browser.get("/console");
    assert.deepEqual([landed.statusCode, landed.headers.location], [302, path]);
    const page = await browser.get(path);
    assert.match(page.body, /aria-current="page"[^>]*>Your organization</);
    assert.equal((await browser.get("/console?period=day")).statusCode, 200);
    const root = await it.browsers["platform administrator"].get("/console");
    assert.equal(root.statusCode, 200, "an operator stays on the dashboard");
  });

  test("lists members with email, role, last sign-in and factors, and open invitations", async () => {
    const page = await browser.get(path);
    const rows = partOf(page, "Members").split("<tr").slice(2);
    const row = (email: string) => rows.find((each) => each.includes(email)) ?? "";
    assert.match(row("max@acme.example"), /Member.*<time.*Authenticator app/s);
    assert.match(row("ann@acme.example"), /Ann &lt;b&gt;.*Admin.*None/s);
    assert.match(partOf(page, "Open invitations"), /new@acme\.example/);
    assert.match(page.body, new RegExp(`href="/console/organizations/${it.acme.id}/invite"`));
  });

  test("leads to roles, providers, settings and activity of this organization alone", async () => {
    const other = await anOrganization(it.store, { name: "Globex", slug: "globex" });
    await aProvider(it.store, { organization_id: other.id, slug: "globex-login", label: "Globex login" });
    const page = await browser.get(path);
    assert.match(main(page), /Acme login/);
    assert.doesNotMatch(main(page), /Globex/);
    const links = [...main(page).matchAll(/href="(\/console\/[^"]+)"/g)].map(([, href = ""]) => href);
    assert.ok(links.includes(`/console/roles/new?organization_id=${it.acme.id}`));
    for (const href of new Set(links))
      assert.equal((await browser.get(href.replaceAll("&amp;", "&"))).statusCode, 200, href);
  });

  test("H-51: others see no more than their role, and strangers nothing", async () => {
    const plain = await aPerson(it, { name: "Pia" });
    await aMembership(it.store, { user_id: plain.id, organization_id: it.acme.id, role: "member" });
    const seen = main(await (await browserOf(it, plain)).get(path));
    assert.doesNotMatch(seen, /@acme\.example|Acme login|Authenticator app|\/edit|\/invite/);
    const stranger = await browserOf(it, await aPerson(it, { name: "Sam" }));
    assert.equal((await stranger.get(path)).statusCode, 404);
    assert.equal((await stranger.get(path.replace(it.acme.id, "nonsense"))).statusCode, 404);
  });
});
