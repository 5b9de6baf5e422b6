/** The console shows each viewer the same lists and records as the management API. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { presentations } from "../../src/console/presentations/presentations.http.ts";
import { insertAny } from "../storage/any_row.ts";
import { aPerson, browserOf } from "../support/app.ts";
import {
  aCode,
  aConsent,
  aGroup,
  aGroupMember,
  aMembership,
  anApp,
  anEvent,
  anOAuthAccount,
  anOrganization,
  aRefusal,
  aRole,
  aSecret,
  aToken,
  aUser,
  later,
} from "../support/builders.ts";
import { type ConsoleFixture, consoleFixture, shown, viewers } from "../support/console.ts";

const pathOf = (path: string) => `/console/${path}`;

describe("the pages of records in the console", () => {
  let it: ConsoleFixture;
  before(async () => {
    it = await consoleFixture();
  });

  test("OC-6: a user's groups are on the user's page, and on the membership's page with the roles that they give", async () => {
    const { store, acme, ids } = it;
    const other = await anOrganization(store, { name: "Globex" });
    const [dispatcher, foreign] = [
      await aRole(store, { organization_id: acme.id, name: "Dispatcher" }),
      await aGroup(store, { organization_id: other.id, display_name: "Night shift" }),
    ];
    await store.update("groups", { id: ids.groups }, { role_ids: [dispatcher.id] });
    const elsewhere = await aMembership(store, { user_id: ids.users, organization_id: other.id });
    await aGroupMember(store, elsewhere, foreign);
    const link = `href="/console/groups/${ids.groups}"`;
    for (const viewer of ["platform administrator", "organization admin"] as const) {
      const browser = it.browsers[viewer];
      const membership = (await browser.get(`/console/memberships/${ids.memberships}`)).body;
      assert.match(membership, new RegExp(`${link}[^]*Through groups: <bdi>Dispatcher</bdi>`));
      assert.doesNotMatch(membership, /Night shift/);
      const user = (await browser.get(`/console/users/${ids.users}`)).body;
      assert.ok(user.includes(link));
      assert.equal(/Night shift/.test(user), viewer === "platform administrator");
    }
    await store.remove("group_members", { group_id: foreign.id });
    await store.remove("memberships", { id: elsewhere.id });
  });

  test("MG-4: a user's page says that an imported password was not used yet", async () => {
    const { store, browsers } = it;
    const { id } = await aUser(store);
    const page = async () => (await browsers["platform administrator"].get(`/console/users/${id}`)).body;
    assert.doesNotMatch(await page(), /imported, not used/);
    await insertAny(store, "foreign_passwords", { users: id });
    assert.match(await page(), /Set: imported, not used here yet/);
  });

  test("a linked account is called by its email address, or by its subject without one", async () => {
    const { store, ids, browsers } = it;
    const own = { user_id: ids.users, provider: "acme-sso" };
    for (const [subject, email, title] of [
      ["subject-1", "dave@acme.example", "acme-sso · dave@acme.example"],
      ["subject-2", null, "acme-sso · subject-2"],
    ] as const) {
      const { id } = await anOAuthAccount(store, { ...own, provider_user_id: subject, email });
      const { body } = await browsers["platform administrator"].get(`/console/linked-accounts/${id}`);
      const [, heading = ""] = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(body) ?? [];
      assert.equal(heading.replaceAll(/<[^>]*>/g, "").trim(), title);
      await store.remove("oauth_accounts", { id });
    }
  });

  for (const { resourceType, path } of shown) {
    for (const viewer of viewers) {
      test(`the list of ${resourceType} for the ${viewer} has the same records as the API`, async () => {
        const browser = it.browsers[viewer];
        const page = await browser.get(pathOf(path));
        const api = await browser.get(`/api/v1/${path}?limit=25`, { accept: "application/json" });
        assert.equal(page.statusCode, api.statusCode, page.body);
        if (api.statusCode !== 200) return;
        const { data } = api.json() as { data: { id: string; short_id?: string }[] };
        for (const { id, short_id } of data) {
          assert.ok(page.body.includes(`href="/console/${path}/${short_id ?? id}"`), `${id} is in the list`);
        }
        const rows = page.body.match(/role="rowheader"/g) ?? [];
        assert.equal(rows.length, data.length, "and nothing else");
        for (const secret of it.secrets) assert.ok(!page.body.includes(secret));
      });

      // The page of a refusal is not built from the fields of the record, and has separate tests.
      if (resourceType === "refusals") continue;
      test(`the page of one of ${resourceType} shows the ${viewer} the same fields as the API`, async () => {
        const browser = it.browsers[viewer];
        const id = it.ids[resourceType as keyof ConsoleFixture["ids"]];
        const page = await browser.get(`${pathOf(path)}/${id}`);
        const api = await browser.get(`/api/v1/${path}/${id}`, { accept: "application/json" });
        assert.equal(page.statusCode, api.statusCode, page.body);
        for (const secret of it.secrets) assert.ok(!page.body.includes(secret));
        if (api.statusCode !== 200) return;
        const { seldom } = presentations[resourceType];
        for (const [name, value] of Object.entries(api.json() as object)) {
          if (value === null && seldom?.includes(name)) continue;
          assert.ok(
            page.body.includes(`<code>${name}</code>`) || page.body.includes(name),
            `${resourceType}.${name}`,
          );
        }
        assert.doesNotMatch(
          page.body,
          /password_hash|secret_hash|key_hash|_signature|tokens_not_before|email_key/,
        );
      });
    }
  }

  test("an invalid id and an unknown id are both answered as not found", async () => {
    for (const id of ["nonsense", "%00", "00000000-0000-0000-0000-000000000000", "..%2f"]) {
      for (const { path, resourceType } of shown) {
        if (resourceType === "refusals") continue;
        const page = await it.browsers["platform administrator"].get(`${pathOf(path)}/${id}`);
        assert.ok([400, 404].includes(page.statusCode), `${path}/${id} ${page.statusCode}`);
      }
    }
  });

  test("referenced records are shown by name with a link if the viewer may read them", async () => {
    const { browsers, ids, acme, orders } = it;
    const root = await browsers["platform administrator"].get(`/console/tokens/${ids.tokens}`);
    assert.match(root.body, new RegExp(`href="/console/apps/${orders.id}"[^>]*>(<bdi>)?Orders`));
    assert.match(root.body, new RegExp(`href="/console/users/${ids.users}"[^>]*>(<bdi>)?Mina`));
    const member = await browsers["organization admin"].get(`/console/apps/${ids.apps}`);
    assert.match(member.body, new RegExp(`href="/console/organizations/${acme.id}"[^>]*>(<bdi>)?Acme`));

    // A user who may read only their own records sees ids of other users, but no names.
    const lonely = await aPerson(it, { name: "Lonely" });
    const app = await anApp(it.store, { name: "Hidden name", owner_id: it.people.stranger.id });
    const consent_id = it.store.newId(later(0));
    await it.store.insert("oauth_consents", {
      id: consent_id,
      user_id: lonely.id,
      app_id: app.id,
      scopes: ["openid"],
      granted_at: later(0),
      created_at: later(0),
      updated_at: later(0),
    });
    const browser = await browserOf(it, lonely);
    const page = await browser.get(`/console/consents/${consent_id}`);
    assert.equal(page.statusCode, 200);
    assert.ok(page.body.includes(app.id));
    assert.doesNotMatch(page.body, /Hidden name/);
    assert.doesNotMatch(page.body, new RegExp(`href="/console/apps/${app.id}"`));
  });

  test("the audit log names the record that each event concerns, even if its name is composed of others", async () => {
    const { store, ids, acme } = it;
    const called = {
      app_secrets: ["oauth_app_secrets", "Orders · "],
      memberships: ["memberships", "Mina · Acme"],
      consents: ["oauth_consents", "Mina · Orders"],
      tokens: ["oauth_tokens", "Orders · Mina"],
      api_keys: ["api_keys", "Deploy"],
      sessions: ["sessions", ""],
    } as const;
    const events = await Promise.all(
      Object.entries(called).map(async ([resourceType, [target_table]]) => {
        const target_id = ids[resourceType as keyof typeof called];
        return anEvent(store, { organization_id: acme.id, target_table, target_id });
      }),
    );
    const gone = store.newId(later(0));
    const lost = await anEvent(store, {
      organization_id: acme.id,
      target_table: "memberships",
      target_id: gone,
    });
    const rows = (body: string) => body.split(/<tr\b/);
    const { body } = await it.browsers["platform administrator"].get(
      "/console/audit-events?organization_id=acme",
    );
    for (const [index, [resourceType, [, name]]] of Object.entries(called).entries()) {
      const row = rows(body).find((each) => each.includes(String(events[index]?.id))) ?? "";
      const id = ids[resourceType as keyof typeof called];
      const link = new RegExp(`href="/console/[a-z-]+/${id}"><bdi title="${name}`);
      assert.match(row, link, resourceType);
    }
    const row = rows(body).find((each) => each.includes(lost.id)) ?? "";
    assert.ok(
      row.includes(gone) && !row.includes(`/${gone}"`),
      "what is gone is named by its id, without a link",
    );

    // Permission to read tokens suffices for a token, but sessions are readable only to their users.
    const admin = await it.browsers["organization admin"].get("/console/audit-events?organization_id=acme");
    const session = rows(admin.body).find((each) => each.includes(String(events[5]?.id))) ?? "";
    assert.ok(session.includes(ids.sessions) && !session.includes(`/console/sessions/${ids.sessions}`));
    assert.match(admin.body, /Mina · Acme/);
  });

  test("an organization's audit log names apps by client_id and invitations by address, and shows no ids", async () => {
    const { store, acme, people, orders } = it;
    const common = { organization_id: acme.id, target_table: "invitations", target_id: randomUUID() };
    const foreign = await anApp(store, { name: "Hidden name", client_id: randomUUID() });
    const { stranger } = people;
    const events = await Promise.all([
      anEvent(store, { ...common, actor_kind: "client", actor_id: orders.client_id }),
      anEvent(store, { ...common, actor_kind: "client", actor_id: foreign.client_id }),
      anEvent(store, {
        ...common,
        actor_kind: "user",
        actor_id: stranger.id,
        details: { after: { email: "new@example.com" } },
      }),
      anEvent(store, { ...common, details: { email: "old@example.com" } }),
    ]);
    const { body } = await it.browsers["organization admin"].get("/console/audit-events");
    const cells = (id: string) => {
      const row = body.split(/<tr\b/).find((each) => each.includes(`/console/audit-events/${id}"`)) ?? "";
      return [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) =>
        cell.replaceAll(/<[^>]*>/g, ""),
      );
    };
    const shownTexts = events.map(({ id }) => cells(id).join("|"));
    for (const [index, text] of [
      "Orders|Invitation",
      "App|Invitation",
      "User|new@example.com",
      "old@example.com",
    ].entries())
      assert.ok(shownTexts[index]?.includes(text), `${text}: ${shownTexts[index]}`);
    assert.match(body, new RegExp(`href="/console/apps/${orders.id}"><bdi title="Orders"`));
    assert.doesNotMatch(body, /Hidden name|Stranger/);
  });

  test("a record is shown by the names that the viewer may read, otherwise by the end of an id", async () => {
    const { store, people, orders } = it;
    const user_id = people.stranger.id;
    const code = await aCode(store, { app_id: orders.id, user_id, expires_at: later(60) });
    const { body } = await it.browsers.stranger.get("/console/auth-codes");
    assert.match(body, new RegExp(`/${code.id}"><bdi[^>]*>Stranger · ${orders.id.slice(-12)}<`));
  });

  test("the page of an app shows changed settings first, and folds the others without a script", async () => {
    const app = await anApp(it.store, { name: "Plain", description: null });
    const { body } = await it.browsers["platform administrator"].get(`/console/apps/${app.id}`);
    const [before = "", folded = ""] = body.split(/<details class="card">/);
    const open = before.match(/<dt>/g) ?? [];
    assert.ok(open.length >= 5 && open.length <= 12, `${open.length} open fields`);
    assert.match(before, /<dt>Redirect URIs/);
    assert.doesNotMatch(before, /<dt>(?:Description|Logo|Metadata)\b/);
    assert.match(folded, /^<summary>Show \d+ more fields<\/summary>/);
    assert.match(folded, /<dt>Description\b[\s\S]*<dt>Record ID/);

    await it.store.update("oauth_apps", { id: app.id }, { description: "Sells things", first_party: true });
    const changed = await it.browsers["platform administrator"].get(`/console/apps/${app.id}`);
    assert.match(
      changed.body.split('<details class="card">')[0] ?? "",
      /Sells things[\s\S]*<dt>Skip consent/,
    );
    // A page with few fields is not folded.
    const key = await it.browsers["platform administrator"].get(`/console/api-keys/${it.ids.api_keys}`);
    assert.match(key.body, /<dt>Expires/);
  });

  test("the page of an app with every feature weighs less than 45 kB, and compressed less than 8 kB", async () => {
    const long = "Gesellschaft für wissenschaftliche Datenverarbeitung mbH Göttingen";
    const allowed_scopes = Array.from({ length: 40 }, (_, index) => `invoices.department-${index}:read`);
    const app = await anApp(it.store, {
      name: long,
      description: long.repeat(3),
      allowed_scopes,
      redirect_uris: Array.from(
        { length: 20 },
        (_, index) => `https://app-${index}.customer.example/callback`,
      ),
      organization_id: it.acme.id,
      logo_url: "https://pictures.example/logo.png",
      access_token_ttl: 600,
      first_party: true,
    });
    for (let index = 0; index < 6; index += 1) {
      const user = await aUser(it.store, { name: `${long} ${index}` });
      const of = { app_id: app.id, user_id: user.id, scopes: allowed_scopes };
      await aSecret(it.store, { app_id: app.id });
      await aConsent(it.store, of);
      await aToken(it.store, of);
      await aCode(it.store, of);
      await aRefusal(it.store, { app_id: app.id });
    }
    const { body } = await it.browsers["platform administrator"].get(`/console/apps/${app.id}`);
    for (const part of ["app_secrets", "consents", "tokens", "auth_codes", "refusals"])
      assert.ok(body.includes(`id="related-${part}"`), part);
    const [whole, packed] = [Buffer.byteLength(body), gzipSync(body).length];
    assert.ok(whole > 25_000 && whole < 45_000, `${whole} bytes`);
    assert.ok(packed < 8_000, `${packed} bytes packed`);
  });

  test("the page of an app lists its dependent records, with links to the full lists and to new ones", async () => {
    const page = await it.browsers["platform administrator"].get(`/console/apps/${it.orders.id}`);
    for (const [path, id] of [
      ["app-secrets", it.ids.app_secrets],
      ["tokens", it.ids.tokens],
      ["auth-codes", it.ids.auth_codes],
      ["consents", it.ids.consents],
    ] as const) {
      assert.ok(page.body.includes(`href="/console/${path}/${id}"`), path);
      assert.ok(page.body.includes(`href="/console/${path}?app_id=${it.orders.id}"`), path);
    }
    assert.ok(page.body.includes(`href="/console/app-secrets/new?app_id=${it.orders.id}"`));
    assert.ok(
      page.body.includes(`/console/app-secrets/new?app_id=${it.orders.id}&amp;expire_others_in=86400`),
    );
    assert.ok(page.body.includes(`href="/console/apps/${it.orders.id}/use"`));
  });

  test("actions that the viewer may not perform are not offered", async () => {
    const { ids, acme, browsers } = it;
    const admin = browsers["organization admin"];
    const user = await admin.get(`/console/users/${ids.users}`);
    assert.doesNotMatch(user.body, new RegExp(`/console/users/${ids.users}/(edit|delete|switch-off|change)`));
    const organization = await admin.get(`/console/organizations/${acme.id}`);
    assert.match(organization.body, new RegExp(`/console/organizations/${acme.id}/edit`));
    assert.match(organization.body, new RegExp(`/console/organizations/${acme.id}/invite`));
    assert.doesNotMatch(organization.body, /switch-off/);
    const users = await admin.get("/console/users");
    assert.doesNotMatch(users.body, /\/console\/users\/new/);
    const tokens = await browsers.stranger.get("/console/tokens");
    assert.doesNotMatch(tokens.body, /\/new"/);
    for (const path of ["users", "organizations", "memberships", "consents", "linked-accounts"]) {
      assert.equal((await admin.get(`/console/${path}/new`)).statusCode, 403, path);
    }
    for (const path of ["apps", "service-accounts"]) {
      assert.equal((await browsers.stranger.get(`/console/${path}/new`)).statusCode, 403, path);
      assert.equal((await admin.get(`/console/${path}/new`)).statusCode, 200, path);
    }
    for (const { path, create } of shown) {
      if (create !== undefined) continue;
      const page = await browsers["platform administrator"].get(`/console/${path}/new`);
      assert.equal(page.statusCode, 404, path);
    }
  });

  test("lists can be filtered by names of records as well as by ids", async () => {
    const browser = it.browsers["platform administrator"];
    const byName = await browser.get("/console/apps?organization_id=acme");
    assert.match(byName.body, new RegExp(`/console/apps/${it.orders.id}"`));
    const byMail = await browser.get("/console/tokens?user_id=MINA@example.com&app_id=orders");
    assert.match(byMail.body, new RegExp(`/console/tokens/${it.ids.tokens}"`));
    const byTime = await browser.get("/console/tokens?created_before=2029-01-01T00:00");
    assert.equal(byTime.statusCode, 200);
    assert.doesNotMatch(byTime.body, new RegExp(it.ids.tokens));
  });

  test("an invalid filter shows its error at the filter", async () => {
    const browser = it.browsers["platform administrator"];
    for (const [query, error] of [
      ["organization_id=nobody", /there is no organization with this slug, name or ID/],
      ["active=maybe", /must be true or false/],
      ["app_type=toaster", /must be one of web/],
      ["created_from=yesterday", /must be a time/],
      ["cursor=%22%3E%3Cb%3E", /the cursor does not belong to this list/],
    ] as const) {
      const page = await browser.get(`/console/apps?${query}`);
      assert.equal(page.statusCode, 422, query);
      assert.match(page.body, error);
      assert.doesNotMatch(page.body, /"><b>/);
    }
    assert.equal((await browser.get("/console/apps?active=&q=&unknown=1&active=")).statusCode, 200);
  });
});
