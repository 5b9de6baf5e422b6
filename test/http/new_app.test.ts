/** A new app in the console: its kind, three fields, and a page that explains its use. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { appKinds, kindDefaults, signsPeopleIn } from "../../src/records/rules/app_kinds.ts";
import { aPerson, browserOf, testApp } from "../support/app.ts";
import { aMembership, anOrganization, aResource } from "../support/builders.ts";
import { type ConsoleFixture, consoleFixture, formOn } from "../support/console.ts";

let it: ConsoleFixture;
before(async () => {
  it = await consoleFixture();
});
const admin = () => it.browsers["organization admin"];
const newApp = (kind: string) => `/console/apps/new?kind=${kind}`;

/** Returns the names of the visible controls before the folded part. */
function requestedOpenly(body: string): string[] {
  const [open = ""] = body.split('<form class="record-form"')[1]?.split('<details class="card"') ?? [];
  return [...open.matchAll(/<(?:input(?! type="hidden")|textarea|select) [^>]*name="([^"]*)"/g)].map(
    ([, name = ""]) => name,
  );
}

const secretOn = (body: string) => /<div class="secret"><code>([^<]+)</.exec(body)?.[1];

describe("creating an app in the console", () => {
  test("the page for a new app first asks for the kind of app", async () => {
    const { body } = await admin().get("/console/apps/new?organization_id=acme");
    const links = [...body.matchAll(/href="(\/console\/apps\/new\?[^"]*)"/g)].map(([, href]) => href);
    assert.deepEqual(
      links,
      appKinds.map((kind) => `/console/apps/new?kind=${kind}&amp;organization_id=acme`),
    );
    // An unknown kind shows the choice again.
    assert.match((await admin().get(newApp("webshop"))).body, /class="choices"/);
  });

  test("the kind of a browser app advises DPoP only if the server has it", async () => {
    for (const isOn of [false, true]) {
      const app = await testApp({ settings: { extra_features: isOn ? ["dpop"] : [] } });
      const root = await browserOf(app, await aPerson(app, { is_platform_admin: true }));
      const { body } = await root.get("/console/apps/new");
      assert.equal(/class="choices"[\s\S]*bind them with DPoP/.test(body), isOn);
    }
  });

  for (const kind of appKinds)
    test(`an app of the kind ${kind} needs few fields, and its page then shows all credentials and URLs`, async () => {
      const { body } = await admin().get(newApp(kind));
      assert.deepEqual(requestedOpenly(body), [
        "name",
        signsPeopleIn(kind) ? "redirect_uris" : "allowed_scopes",
      ]);
      const { action, fields } = formOn({ body });
      assert.equal(fields.kind, kind);
      const own = kind === "command_line" ? "http://127.0.0.1/callback" : "";
      assert.equal(fields.redirect_uris, signsPeopleIn(kind) ? own : undefined);
      const values = signsPeopleIn(kind) && own === "" ? { redirect_uris: "https://shop.example/cb" } : {};
      let answer = await admin().post(action, { ...fields, ...values, name: `Of ${kind}` });

      const [app] = await it.store.list("oauth_apps", { name: `Of ${kind}` });
      assert.ok(app);
      const { redirect_uris: _, ...defaults } = kindDefaults[kind];
      for (const [name, value] of Object.entries(defaults))
        assert.deepEqual(app[name as keyof typeof defaults], value, name);
      if (app.public) {
        assert.equal(answer.headers.location, `/console/apps/${app.id}/use?done=created`);
        answer = await admin().get(String(answer.headers.location));
      }
      const page = answer.body;
      assert.equal(answer.statusCode, 200);
      assert.match(page, new RegExp(`<h1>Of ${kind}</h1>`));
      assert.match(page, /role="status">The app is created/);
      for (const value of [app.client_id, it.server.issuer])
        assert.ok(page.includes(`<div class="copyable"><code>${value}</code></div>`), value);
      const secret = secretOn(page);
      assert.equal(secret === undefined, app.public);
      if (secret !== undefined) {
        assert.equal(page.split(secret).length, 3, "the secret is shown once, and in the environment file");
        assert.ok(page.includes(`OAUTH_CLIENT_SECRET=${secret}`));
        const later = await admin().get(`/console/apps/${app.id}/use`);
        assert.ok(!later.body.includes(secret));
        assert.ok(later.body.includes("OAUTH_CLIENT_SECRET=paste-the-secret-here"));
        assert.doesNotMatch(later.body, /The app is created/);
      }
      // A program that runs in the browser contains the issuer and client id as literals.
      const environment = /<pre class="snippet" data-copy tabindex="0">OAUTH_ISSUER=/.test(page);
      assert.equal(environment, kind !== "browser");
      // The programs for devices need a loopback redirect URI. The native app has an https URI, so its page
      // shows only the curl program.
      const programs = page.match(/<details(?: open)?><summary><h3>/g)?.length ?? 0;
      assert.ok(programs >= (kind === "native" ? 1 : 2), `${programs} programs`);
      assert.equal(/no redirect URI|no scope/.test(page), false, "nothing is missing");
    });

  test("the form explains which redirect URIs are allowed, and what custom scopes are for", async () => {
    const helpOf = (body: string, name: string) =>
      new RegExp(`<p class="help" id="field-${name}-help">([^<]*)<`).exec(body)?.[1] ?? "";
    const helpOfKind = async (kind: string, name: string) =>
      helpOf((await admin().get(newApp(kind))).body, name);
    const helps = await Promise.all(
      ["website", "browser", "native", "command_line"].map((kind) => helpOfKind(kind, "redirect_uris")),
    );
    assert.match(helps[0] ?? "", /https:\/\/shop\.example/);
    assert.equal(helps[0], helps[1]);
    assert.match(
      helps[2] ?? "",
      /com\.example\.app:\/callback, or http:\/\/127\.0\.0\.1\/callback on any port/,
    );
    assert.match(helps[3] ?? "", /^One per line\. http:\/\/127\.0\.0\.1\/callback matches on any port/);
    for (const kind of ["machine", "api"])
      assert.match(await helpOfKind(kind, "allowed_scopes"), /The scope api is only an example/);
    assert.doesNotMatch(await helpOfKind("website", "allowed_scopes"), /only an example/);
    // For an existing app, the help depends only on the type in its record.
    const [app] = await it.store.list("oauth_apps", { name: "Of command_line" });
    const edited = await admin().get(`/console/apps/${app?.id}/edit`);
    assert.equal(helpOf(edited.body, "redirect_uris"), helps[2]);
  });

  test("values that the administrator removes from the form are not set on the new app", async () => {
    const { action, fields } = formOn(await admin().get(newApp("command_line")));
    const form = { ...fields, name: "Emptied", allowed_scopes: "", redirect_uris: "" };
    assert.equal((await admin().post(action, form)).statusCode, 303);
    const [app] = await it.store.list("oauth_apps", { name: "Emptied" });
    assert.deepEqual([app?.allowed_scopes, app?.redirect_uris], [[], []]);
  });

  test("an error in a folded field is shown unfolded, and the form keeps its kind", async () => {
    const { action, fields } = formOn(await admin().get(newApp("browser")));
    const refused = await admin().post(action, { ...fields, name: "Faulty", access_token_ttl: "soon" });
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, /<details class="card" open>/);
    assert.equal(formOn(refused).fields.kind, "browser");
  });

  test("the organization is shown unfolded if the administrator has several", async () => {
    const person = await aPerson(it);
    for (const slug of ["one", "two"]) {
      const { id: organization_id } = await anOrganization(it.store, { slug });
      await aMembership(it.store, { user_id: person.id, organization_id, role: "developer" });
    }
    const browser = await browserOf(it, person);
    const { body } = await browser.get(newApp("website"));
    assert.deepEqual(requestedOpenly(body), ["name", "redirect_uris", "organization_id"]);
  });

  test("an app of the kind api shows how tokens are verified, once an API record names it", async () => {
    const { action, fields } = formOn(await admin().get(newApp("api")));
    await admin().post(action, { ...fields, name: "Verifier" });
    const [app] = await it.store.list("oauth_apps", { name: "Verifier" });
    assert.ok(app);
    const before = await admin().get(`/console/apps/${app.id}/use`);
    assert.match(before.body, /href="\/console\/resources\/new"/);
    const identifier = "https://verified.example";
    await aResource(it.store, { organization_id: it.acme.id, identifier, app_ids: [app.id] });
    const { body } = await admin().get(`/console/apps/${app.id}/use`);
    assert.doesNotMatch(body, /href="\/console\/resources\/new"/);
    for (const title of ["JavaScript with jose", "Python with FastAPI and PyJWT", "Go with go-oidc"])
      assert.ok(body.includes(`<summary><h3>${title}</h3></summary>`), title);
    assert.ok(body.includes(`&quot;${identifier}&quot;`));
  });
});
