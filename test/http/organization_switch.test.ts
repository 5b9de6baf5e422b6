/** The organization that the user works in: the choice narrows lists, and grants no permission. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { resourceTypeHref } from "../../src/console/frame/console_frame.view.ts";
import type { Organization, User } from "../../src/records/definition/definition.ts";
import { aPerson, hiddenField, signInAs, type TestBrowser, testBrowser } from "../support/app.ts";
import { aMembership, anApp, anOrganization } from "../support/builders.ts";
import { type ConsoleFixture, consoleFixture, formOn, shown, workIn } from "../support/console.ts";

let it: ConsoleFixture;
let globex: Organization;
/** A user who manages Acme and Globex. */
let both: User;
let browser: TestBrowser;

before(async () => {
  it = await consoleFixture();
  globex = await anOrganization(it.store, { name: "Globex", slug: "globex" });
  await anApp(it.store, { name: "Journeys", organization_id: globex.id });
  both = await aPerson(it, { name: "Beth" });
  for (const { id: organization_id } of [it.acme, globex])
    await aMembership(it.store, { user_id: both.id, organization_id, role: "admin" });
  browser = testBrowser(it.app);
  await signInAs(browser, both);
});

const named = ({ body }: { readonly body: string }) =>
  /class="(?:menu )?place".*?<span class="menu-name"><bdi>([^<]*)<\/bdi>/s.exec(body)?.[1];
const formToken = (page: Parameters<typeof hiddenField>[0]) => hiddenField(page, "csrf_token");
const rows = ({ body }: { readonly body: string }) =>
  [...body.matchAll(/role="rowheader"[^>]*>(?:<[^>]*>)*([^<]*)/g)].map(([, name]) => name);

describe("the choice of an organization in the header of the console", () => {
  test("an administrator of one organization stays in it after joining a second one", async () => {
    const one = await aPerson(it, { name: "Olaf" });
    await aMembership(it.store, { user_id: one.id, organization_id: it.acme.id, role: "admin" });
    const theirs = testBrowser(it.app);
    await signInAs(theirs, one);
    const landing = `/console/organizations/${it.acme.id}/profile`;
    assert.equal((await theirs.get("/console")).headers.location, landing);
    await aMembership(it.store, { user_id: one.id, organization_id: globex.id, role: "admin" });
    assert.equal((await theirs.get("/console")).headers.location, landing);
    assert.equal(formOn(await theirs.get("/console/groups/new")).fields.organization_id, it.acme.slug);
  });

  test("an administrator of several organizations starts in the first by name, until all are selected", async () => {
    const asked = await browser.get("/console/apps");
    assert.deepEqual([named(asked), rows(asked).sort()], ["All organizations", ["Journeys", "Orders"]]);
    const landing = `/console/organizations/${it.acme.id}/profile`;
    assert.equal((await browser.get("/console")).headers.location, landing);
    assert.equal(named(await browser.get(landing)), "Acme");
    await workIn(browser, "");
    const all = await browser.get("/console/apps");
    assert.deepEqual([named(all), rows(all).sort()], ["All organizations", ["Journeys", "Orders"]]);
    assert.equal((await browser.get("/console")).statusCode, 200);
    const root = await it.browsers["platform administrator"].get("/console/apps");
    assert.equal(named(root), "All organizations");
  });

  test("the selected organization narrows lists, totals, search and files, until all are selected again", async () => {
    const answer = await browser.post("/console/organization", {
      csrf_token: formToken(await browser.get("/console/apps")),
      organization: globex.id,
      return_to: "/console/apps?q=o&cursor=x",
    });
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, "/console/apps?q=o"]);
    const list = await browser.get("/console/apps");
    assert.deepEqual([named(list), rows(list)], ["Globex", ["Journeys"]]);
    assert.match(list.body, /1–1 of 1/);
    assert.doesNotMatch(list.body, /name="organization_id"/);
    const found = await browser.get("/console/search?q=or");
    assert.deepEqual(rows(found), []);
    const file = await browser.post("/console/apps/export", {
      csrf_token: formToken(list),
      format: "jsonl",
    });
    assert.deepEqual(
      file.body
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).name),
      ["Journeys"],
    );
    await workIn(browser, "");
    assert.deepEqual(rows(await browser.get("/console/apps")).sort(), ["Journeys", "Orders"]);
  });

  test("a URL that names another organization takes precedence, and an empty list offers all organizations", async () => {
    await workIn(browser, globex.id);
    const other = await browser.get(`/console/apps?organization_id=${it.acme.id}`);
    assert.deepEqual(rows(other), ["Orders"]);
    const empty = await browser.get("/console/service-accounts");
    assert.match(empty.body, /No service accounts in <bdi>Globex<\/bdi>/);
    assert.match(empty.body, /Show all organizations/);
    await workIn(browser, "");
  });

  test("a new record belongs to the selected organization", async () => {
    for (const viewer of [browser, it.browsers["platform administrator"]]) {
      await workIn(viewer, globex.id);
      const form = formOn(await viewer.get("/console/apps/new?kind=website"));
      assert.equal(form.fields.organization_id, "globex");
      await workIn(viewer, "");
    }
  });

  test("the only organization is shown without a choice, and platform administrators may select any", async () => {
    const one = await it.browsers["organization admin"].get("/console?period=day");
    assert.equal(named(one), "Acme");
    assert.doesNotMatch(one.body, /<details class="menu place"/);
    const root = it.browsers["platform administrator"];
    const page = await root.get("/console/organization?q=glob&return_to=%2Fconsole%2Fapps");
    assert.match(page.body, new RegExp(`value="${globex.id}"`));
    assert.doesNotMatch(page.body.split("<main")[1] ?? "", new RegExp(it.acme.id));
    await workIn(root, globex.id);
    assert.deepEqual(rows(await root.get("/console/apps")), ["Journeys"]);
    assert.match((await root.get("/console/sessions")).body, /They belong to no organization/);
    await workIn(root, "");
  });

  test("H-51: an invalid selection has no effect on any list or page", async () => {
    const outsider = await aPerson(it, { name: "Oscar" });
    await aMembership(it.store, { user_id: outsider.id, organization_id: globex.id, role: "admin" });
    const oscar = testBrowser(it.app);
    await signInAs(oscar, outsider);
    const paths = [
      "/console?period=day",
      "/console/search?q=orders",
      ...shown.map(({ resourceType }) => resourceTypeHref(resourceType)),
    ];
    const plain = new Map<string, string>();
    const readable = ({ body }: { readonly body: string }) => body.replace(/csrf_token" value="[^"]*"/g, "");
    for (const path of paths) plain.set(path, readable(await oscar.get(path)));
    for (const forged of [
      it.acme.id,
      it.acme.id.toUpperCase(),
      "nonsense",
      "",
      "%00",
      `${globex.id},${it.acme.id}`,
    ]) {
      oscar.cookies.set("__Host-postern_organization", forged);
      oscar.cookies.set("postern_organization", forged);
      for (const path of paths) {
        const page = await oscar.get(path);
        assert.equal(readable(page), plain.get(path), `${forged} ${path}`);
        assert.ok(!page.body.includes(it.orders.id) && !page.body.includes("mina@example.com"), path);
      }
    }
    oscar.cookies.delete("postern_organization");
    const requested = await workIn(oscar, it.acme.id);
    assert.deepEqual([requested.statusCode, requested.headers["set-cookie"]], [404, undefined]);
  });

  test("H-51: another site cannot change the selection, and no URL redirects to another site", async () => {
    const csrf_token = formToken(await browser.get("/console/apps"));
    const choice = { csrf_token, organization: globex.id };
    const foreign = await browser.post("/console/organization", choice, { "sec-fetch-site": "cross-site" });
    const blind = await browser.post("/console/organization", { ...choice, csrf_token: "x" });
    for (const { statusCode, headers } of [foreign, blind])
      assert.deepEqual([statusCode, headers["set-cookie"]], [403, undefined]);
    const away = await browser.post("/console/organization", {
      ...choice,
      return_to: "https://evil.example/",
    });
    assert.equal(away.headers.location, "/console");
    await workIn(browser, "");
  });
});
