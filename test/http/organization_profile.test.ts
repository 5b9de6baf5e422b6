/** The page of one organization, which is the first page of its own administrators. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { User } from "../../src/records/definition/definition.ts";
import { aPerson, browserOf, type TestBrowser } from "../support/app.ts";
import {
  aGroup,
  aGroupMember,
  aMembership,
  anInvitation,
  anOrganization,
  aProvider,
  aRole,
} from "../support/builders.ts";
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
  const olga = await aPerson(it, { name: "Olga", email: "olga@acme.example" });
  await aMembership(it.store, { user_id: olga.id, organization_id, role: "owner" });
  await aProvider(it.store, { organization_id, slug: "acme-login", label: "Acme login" });
  await anInvitation(it.store, { organization_id, email: "new@acme.example", invited_by: ann.id });
  browser = await browserOf(it, ann);
});

const main = ({ body }: { readonly body: string }) => body.split("<main")[1] ?? "";
const partOf = (page: { readonly body: string }, title: string) =>
  main(page)
    .split('<section class="card">')
    .find((part) => part.includes(`<h2>${title}</h2>`)) ?? "";

describe("the page of one organization in the console", () => {
  test("an organization's administrator lands on the page of the organization, which links to the dashboard", async () => {
    const landed = await browser.get("/console");
    assert.deepEqual([landed.statusCode, landed.headers.location], [302, path]);
    const page = await browser.get(path);
    assert.match(page.body, /aria-current="page"[^>]*>Your organization</);
    assert.equal((await browser.get("/console?period=day")).statusCode, 200);
    const root = await it.browsers["platform administrator"].get("/console");
    assert.equal(root.statusCode, 200, "an operator stays on the dashboard");
  });

  test("the page lists members with email, role, last sign-in and factors, and open invitations", async () => {
    const page = await browser.get(path);
    const rows = partOf(page, "Members").split("<tr").slice(2);
    const row = (email: string) => rows.find((each) => each.includes(email)) ?? "";
    assert.match(row("max@acme.example"), /Member.*<time.*Authenticator app/s);
    assert.match(row("ann@acme.example"), /Ann &lt;b&gt;.*Admin.*None/s);
    assert.match(partOf(page, "Open invitations"), /new@acme\.example/);
    assert.match(page.body, new RegExp(`href="/console/organizations/${it.acme.id}/invite"`));
  });

  test("OC-6: the page lists the organization's own roles with their holders, and links to the forms of roles", async () => {
    const { store, acme } = it;
    const of = { organization_id: acme.id };
    const [editor, unheld] = [
      await aRole(store, { ...of, name: "editor <i>" }),
      await aRole(store, { ...of, name: "unheld" }),
    ];
    await aRole(store, { name: "of the server" });
    await aRole(store, { organization_id: (await anOrganization(store)).id, name: "foreign" });
    const given = { role_ids: [editor.id] };
    const group = await aGroup(store, { ...of, ...given });
    const max = await store.find("users", { email: "max@acme.example" });
    const membership = await store.find("memberships", { user_id: max?.id ?? "", ...of });
    assert.ok(membership);
    await store.transaction((tx) => tx.update("memberships", { id: membership.id }, given));
    await aGroupMember(store, membership, group);
    const ida = await aPerson(it, { name: "Ida", email: "ida@acme.example" });
    await aGroupMember(store, await aMembership(store, { ...of, user_id: ida.id, role: "member" }), group);
    await anInvitation(store, { ...of, ...given, email: "next@acme.example", invited_by: ann.id });

    const page = await browser.get(path);
    const roles = partOf(page, "Roles");
    const row = (part: string, what: string) => part.split("<tr").find((each) => each.includes(what)) ?? "";
    assert.match(row(roles, editor.id), /editor &lt;i&gt;.*Members with the role[^\d]*2</s);
    assert.match(row(roles, unheld.id), /unheld.*Members with the role[^\d]*0</s);
    assert.doesNotMatch(roles, /of the server|foreign/);
    for (const verb of ["edit", "delete"])
      assert.ok(roles.includes(`href="/console/roles/${editor.id}/${verb}"`), verb);
    const impact = await browser.get(`/console/roles/${editor.id}/delete`);
    assert.match(impact.body, /2 members lose the role.*1 group no longer grants the role/s);

    const members = partOf(page, "Members");
    assert.match(row(members, "max@"), /Member, <bdi>editor &lt;i&gt;<\/bdi><\/span>/);
    assert.match(
      row(members, "ida@"),
      /Member<br><span class="quiet">Through groups: <bdi>editor &lt;i&gt;<\/bdi></,
    );
    const form = `/console/memberships/${membership.id}/edit`;
    assert.ok(row(members, "max@").includes(`href="${form}"`));
    assert.match((await browser.get(form)).body, /editor &lt;i&gt;/);
    assert.doesNotMatch(row(members, "olga@"), /\/edit/, "a role above the reader's own");
    assert.match(row(partOf(page, "Open invitations"), "next@"), /, <bdi>editor &lt;i&gt;<\/bdi>/);
  });

  test("the page links to roles, providers, settings and activity of this organization only", async () => {
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

  test("H-51: members see no more than their role permits, and other users see nothing", async () => {
    const plain = await aPerson(it, { name: "Pia" });
    await aMembership(it.store, { user_id: plain.id, organization_id: it.acme.id, role: "member" });
    const seen = main(await (await browserOf(it, plain)).get(path));
    assert.doesNotMatch(seen, /@acme\.example|Acme login|Authenticator app|\/edit|\/invite/);
    const stranger = await browserOf(it, await aPerson(it, { name: "Sam" }));
    assert.equal((await stranger.get(path)).statusCode, 404);
    assert.equal((await stranger.get(path.replace(it.acme.id, "nonsense"))).statusCode, 404);
  });
});
