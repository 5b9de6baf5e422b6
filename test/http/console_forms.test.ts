/** The forms of the console create, change and end records by the rules of the management API. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { aPerson } from "../support/app.ts";
import {
  aGroup,
  aGroupMember,
  aMembership,
  anApp,
  anOrganization,
  aProvider,
  aRole,
  aUser,
  later,
} from "../support/builders.ts";
import {
  type ConsoleFixture,
  confirmOn,
  consoleFixture,
  fillIn,
  formOn,
  shown,
  type ViewerName,
} from "../support/console.ts";

type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The life of a record of one resource type: the fields of a new record, the secret that is shown once, and
 * the fields of a change.
 */
interface Life {
  /** The query that opens the form of a new record, if there is a choice before the form. */
  readonly query?: string;
  readonly made: Fields | ((it: ConsoleFixture) => Fields);
  readonly once?: RegExp;
  readonly changed?: Readonly<Record<string, string>>;
  readonly expected?: object;
}

const lives: Readonly<Record<string, Life>> = {
  users: {
    made: { email: "Grace@example.com", name: "Grace", password: "correct horse battery staple" },
    changed: { name: "Grace Hopper", avatar_url: "https://example.com/grace.png" },
    expected: {
      name: "Grace Hopper",
      avatar_url: "https://example.com/grace.png",
      email: "Grace@example.com",
    },
  },
  organizations: {
    made: { name: "Globex", slug: "globex" },
    changed: { plan: "pro", settings: '{ "brand": { "name": "G" } }' },
    expected: { plan: "pro", settings: { brand: { name: "G" } }, active: true },
  },
  memberships: {
    made: { email: "newcomer@example.com", organization_id: "acme", role: "member" },
    changed: { role: "developer", permissions: "audit_events:read\r\nusers:read\r\n" },
    expected: { role: "developer", permissions: ["audit_events:read", "users:read"] },
  },
  linked_accounts: {
    made: {
      user_id: "mina@example.com",
      provider: "github",
      provider_user_id: "7",
      access_token: "gho_secret",
    },
    changed: { expires_at: "2031-01-01T00:00", refresh_token: "ghr_secret" },
    expected: { expires_at: "2031-01-01T00:00:00.000Z", provider: "github" },
  },
  roles: {
    made: { name: "Bookkeeper", organization_id: "acme", permissions: "invoices:read\r\ninvoices:pay" },
    changed: { description: "Keeps the books" },
    expected: { permissions: ["invoices:read", "invoices:pay"], description: "Keeps the books" },
  },
  groups: {
    made: { display_name: "Support Berlin", organization_id: "acme", role_ids: "Auditor" },
    changed: { external_id: "x-1" },
    expected: { display_name: "Support Berlin", external_id: "x-1", app_role_ids: [] },
  },
  group_members: {
    made: ({ ids, people }) => ({ group_id: ids.groups, email: people["organization admin"].email }),
  },
  app_roles: {
    made: { name: "Chief", resource_id: "https://api.acme.example" },
    changed: { description: "Does everything" },
    expected: { name: "Chief", scopes: [], description: "Does everything" },
  },
  attributes: {
    made: { name: "cost_center", record_type: "memberships", organization_id: "acme" },
    changed: { label: "Cost center", pattern: "[0-9]{4}" },
    expected: { record_type: "memberships", value_type: "string", label: "Cost center", pattern: "[0-9]{4}" },
  },
  providers: {
    query: "?preset=oidc",
    made: {
      label: "Acme staff",
      slug: "acme-staff",
      organization_id: "acme",
      issuer: "https://login.acme.example",
      client_id: "postern",
      client_secret: "told by Acme",
    },
    changed: { sign_up: "invited", scopes: "openid\r\nemail" },
    expected: { preset: "oidc", slug: "acme-staff", sign_up: "invited", scopes: ["openid", "email"] },
  },
  webhook_endpoints: {
    made: { url: "https://hooks.acme.example/in", organization_id: "acme", types: ["user.created"] },
    once: /<div class="secret"><code>whsec_/,
    changed: { description: "Keeps the table of people" },
    expected: { types: ["user.created"], active: true, description: "Keeps the table of people" },
  },
  api_keys: {
    made: {
      name: "Rollout",
      organization_id: "acme",
      scopes: "postern:apps:read",
      expires_at: "2030-06-01T00:00",
    },
    once: /<div class="secret"><code>/,
    changed: { expires_at: "", name: "Roll-out" },
    expected: { expires_at: null, name: "Roll-out", scopes: ["postern:apps:read"] },
  },
  apps: {
    query: "?kind=website",
    made: {
      name: "Shop",
      organization_id: "acme",
      redirect_uris: "https://shop.example/cb\r\nhttps://shop.example/other",
      allowed_scopes: "openid\nprofile",
      allowed_grants: ["auth_code"],
      refresh_token_rotation: undefined,
    },
    once: /<div class="secret"><code>/,
    changed: {
      redirect_uris: "https://shop.example/cb",
      access_token_ttl: "5",
      "access_token_ttl.unit": "min",
      metadata: '{"a":[1]}',
    },
    expected: {
      redirect_uris: ["https://shop.example/cb"],
      access_token_ttl: 300,
      metadata: { a: [1], refresh_reuse_window: 30 },
      allowed_grants: ["auth_code"],
      refresh_token_rotation: false,
      active: true,
      public: false,
    },
  },
  app_secrets: {
    made: { app_id: "orders" },
    once: /<div class="secret"><code>/,
    changed: { expires_at: "2030-02-01T00:00:05" },
    expected: { expires_at: "2030-02-01T00:00:05.000Z" },
  },
  consents: { made: { user_id: "newcomer@example.com", app_id: "orders", scopes: "openid" } },
  resources: {
    made: {
      name: "Shop API",
      // The identifier of another API of the organization is a prefix of this one.
      identifier: "https://api.acme.example/shop",
      organization_id: "acme",
      scopes: '{ "shop:read": "See the shop" }',
      default_scopes: "shop:read",
    },
    changed: { who_may_ask: "any", app_ids: "orders", trailing_slash_alias: "true" },
    expected: {
      identifier: "https://api.acme.example/shop",
      scopes: { "shop:read": "See the shop" },
      default_scopes: ["shop:read"],
      who_may_ask: "any",
      trailing_slash_alias: true,
    },
  },
  service_accounts: {
    made: {
      name: "Robot",
      email: "robot@acme.example",
      organization_id: "acme",
      allowed_scopes: "orders:read",
    },
    changed: { description: "Turns\r\nscrews" },
    expected: { description: "Turns\nscrews", allowed_scopes: ["orders:read"], active: true },
  },
  key_pairs: {
    made: { service_account_id: "ci@acme.example", algorithm: "ES256", expires_at: "2030-06-01T00:00" },
    once: /-----BEGIN PRIVATE KEY-----/,
    changed: { expires_at: "" },
    expected: { expires_at: null, algorithm: "ES256", key_type: "ec" },
  },
};

/** Resource types that an organization's administrator cannot create. */
const platformAlone = ["users", "organizations", "memberships", "linked_accounts", "consents"];

const idIn = (href: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(href)?.[0] ?? "";

for (const viewer of ["platform administrator", "organization admin"] as const satisfies ViewerName[])
  describe(`creating, changing and ending records in the console, as the ${viewer}`, () => {
    let it: ConsoleFixture;
    before(async () => {
      it = await consoleFixture();
      await aPerson(it, { email: "newcomer@example.com", name: "Newcomer" });
    });
    const api = async (url: string) => {
      const answer = await it.browsers["platform administrator"].get(url, { accept: "application/json" });
      return answer.json() as Record<string, unknown> & { data: Record<string, unknown>[] };
    };

    for (const { resourceType, path, create, remove, revoke, noun } of shown) {
      const life = lives[resourceType];
      if (create === undefined) continue;
      const isRefused = viewer === "organization admin" && platformAlone.includes(resourceType);
      test(`${resourceType}: ${isRefused ? "cannot be created by this viewer" : "can be created, changed and ended, each with an audit event"}`, async () => {
        assert.ok(life, `there is a life for ${resourceType}`);
        const browser = it.browsers[viewer];
        const list = `/console/${path}`;
        if (isRefused) {
          assert.equal((await browser.get(`${list}/new`)).statusCode, 403);
          const { csrf_token } = formOn(await browser.get("/console/apps/new?kind=website")).fields;
          assert.equal(
            (await browser.post(`${list}/new`, { ...(life.made as Fields), csrf_token })).statusCode,
            403,
          );
          return;
        }
        const input = typeof life.made === "function" ? life.made(it) : life.made;
        const made = await fillIn(browser, `${list}/new${life.query ?? ""}`, input);
        let href: string;
        if (life.once === undefined) {
          assert.equal(made.statusCode, 303, made.body);
          href = String(made.headers.location);
          assert.match(href, /\?done=created$/);
        } else {
          assert.equal(made.statusCode, 200, made.body);
          assert.match(made.body, life.once);
          href = new RegExp(`href="(${list}/[0-9a-f-]{36})"`).exec(made.body)?.[1] ?? "";
        }
        const id = idIn(href);
        const page = await browser.get(href);
        assert.equal(page.statusCode, 200, href);
        if (life.changed !== undefined) {
          const changed = await fillIn(browser, `${list}/${id}/edit`, life.changed);
          assert.equal(changed.statusCode, 303, changed.body);
          assert.equal(changed.headers.location, `${list}/${id}?done=changed`);
        }
        if (life.expected !== undefined) {
          const record = await api(`/api/v1/${path}/${id}`);
          const got = Object.fromEntries(Object.keys(life.expected).map((name) => [name, record[name]]));
          assert.deepEqual(got, life.expected);
        }
        if (revoke !== undefined) {
          const revoked = await confirmOn(browser, `${list}/${id}/revoke`);
          assert.equal(revoked.headers.location, `${list}/${id}?done=revoked`, revoked.body);
          // The record is already revoked, so the page redirects.
          assert.equal((await browser.get(`${list}/${id}/revoke`)).statusCode, 303);
          const ended = await browser.get(`${list}/${id}?done=revoked`);
          assert.doesNotMatch(ended.body, new RegExp(`${id}/revoke`));
        }
        if (remove !== undefined) {
          const removed = await confirmOn(browser, `${list}/${id}/delete`);
          assert.equal(removed.statusCode, 303, removed.body);
          assert.equal(removed.headers.location, `${list}?done=deleted`);
          assert.equal((await browser.get(`${list}/${id}`)).statusCode, 404);
        }
        const events = await api(`/api/v1/audit-events?target_id=${id}`);
        const kind = noun.toLowerCase().replaceAll(" ", "_");
        const expected = [
          ...(remove === undefined ? [] : [`${kind}.deleted`]),
          ...(revoke === undefined ? [] : [`${kind}.revoked`]),
          ...(life.changed === undefined ? [] : [`${kind}.updated`]),
          `${kind}.created`,
        ];
        // The clock does not advance, and ids that were created in the same millisecond have no order.
        assert.deepEqual(events.data.map(({ type }) => type).toSorted(), expected.toSorted());
        for (const { actor_id } of events.data) assert.equal(actor_id, it.people[viewer].id);
      });
    }

    for (const { resourceType, path, create, revoke } of shown) {
      if (create !== undefined || revoke === undefined) continue;
      const isTheirs = viewer === "platform administrator" || resourceType !== "sessions";
      test(`${resourceType}: ${isTheirs ? "can be ended" : "cannot be ended"} by this viewer`, async () => {
        const browser = it.browsers[viewer];
        const id = it.ids[resourceType as keyof ConsoleFixture["ids"]];
        const url = `/console/${path}/${id}/revoke`;
        if (!isTheirs) return assert.equal((await browser.get(url)).statusCode, 404);
        const ended = await confirmOn(browser, url);
        assert.equal(ended.statusCode, 303, ended.body);
        const shownAfter = await browser.get(String(ended.headers.location));
        assert.doesNotMatch(shownAfter.body, new RegExp(`${id}/revoke`));
      });
    }
  });

describe("forms of the console", () => {
  let it: ConsoleFixture;
  before(async () => {
    it = await consoleFixture();
  });
  const root = () => it.browsers["platform administrator"];

  test("EP-1: the form of a provider offers organization administrators only what they may choose", async () => {
    const { store, acme } = it;
    const admin = it.browsers["organization admin"];
    const choices = ({ body }: { body: string }, name: string) => {
      const [select = ""] = new RegExp(`<select [^>]*name="${name}"[\\s\\S]*?</select>`).exec(body) ?? [];
      return [...select.matchAll(/<option [^>]*value="([^"]*)"/g)].map(([, value]) => value);
    };
    const reserved = ["link", "trust_amr", "internal"];
    for (const [preset, trusts] of [
      ["oidc", []],
      ["google", ["never", "claim"]],
    ] as const) {
      const url = `/console/providers/new?preset=${preset}`;
      const page = await admin.get(url);
      assert.deepEqual(choices(page, "sign_up"), ["never", "invited"], preset);
      assert.deepEqual(choices(page, "email_trust"), trusts, preset);
      assert.match(page.body, /Only platform administrators can choose more options/);
      for (const name of reserved) assert.ok(!page.body.includes(`name="${name}"`), `${preset} ${name}`);
      const theirs = await root().get(url);
      assert.deepEqual(choices(theirs, "sign_up"), ["never", "invited", "domains", "anyone"], preset);
      for (const name of reserved) assert.ok(theirs.body.includes(`name="${name}"`), `${preset} ${name}`);
      assert.doesNotMatch(theirs.body, /Only platform administrators can choose more options/);
    }
    const set = { sign_up: "anyone", link: "automatic", trust_amr: true } as const;
    const own = { organization_id: acme.id, issuer: "https://login.acme.example", ...set };
    const { id } = await aProvider(store, { slug: "set-by-platform", preset: "oidc", ...own });
    const edited = await admin.get(`/console/providers/${id}/edit`);
    assert.deepEqual(choices(edited, "sign_up"), ["never", "invited", "anyone"], "its value stays offered");
    assert.deepEqual(choices(edited, "link"), ["ask", "automatic"]);
    assert.ok(edited.body.includes('name="trust_amr"'));
    const changed = await fillIn(admin, `/console/providers/${id}/edit`, { sign_up: "invited" });
    assert.equal(changed.statusCode, 303, changed.body);
    assert.equal((await store.find("providers", { id }))?.link, "automatic");
  });

  test("the form of a provider marks what its preset needs as required", async () => {
    for (const [preset, names] of [
      ["oidc", ["issuer"]],
      ["oauth2", ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"]],
      ["apple", ["settings.team_id", "settings.key_id"]],
    ] as const) {
      const { body } = await root().get(`/console/providers/new?preset=${preset}`);
      for (const name of names) {
        const [tag = ""] = new RegExp(`<(input|textarea) [^>]*name="${name}"[^>]*>`).exec(body) ?? [];
        assert.match(tag, / required/, name);
      }
    }
  });

  test("OC-6: the form of a membership offers the roles of its organization and of the server, by name", async () => {
    const { store, ids, acme } = it;
    const other = await anOrganization(store);
    await aRole(store, { name: "theirs", organization_id: other.id });
    await aRole(store, { name: "of the server" });
    const admin = it.browsers["organization admin"];
    const url = `/console/memberships/${ids.memberships}/edit`;
    const offered = ({ body }: { body: string }, name: string) =>
      [...body.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, "g"))].map(([, value]) => value);
    const page = await admin.get(url);
    assert.deepEqual(offered(page, "role_ids"), ["Auditor", "of the server"]);
    assert.deepEqual(offered(page, "app_role_ids"), ["https://api.acme.example#Clerk"]);
    assert.doesNotMatch(page.body, /one per line/, "nothing is typed into check boxes");
    const given = {
      role_ids: ["Auditor", "of the server"],
      app_role_ids: ["https://api.acme.example#Clerk"],
    };
    assert.equal((await fillIn(admin, url, given)).statusCode, 303);
    const { role_ids = [], app_role_ids } = (await store.find("memberships", { id: ids.memberships })) ?? {};
    assert.deepEqual([role_ids.length, app_role_ids], [2, [ids.app_roles]]);
    assert.match((await admin.get(`/console/memberships/${ids.memberships}`)).body, />of the server</);
    const { action, fields } = formOn(await admin.get(url));
    const taken = await admin.post(action, { ...fields, role_ids: "theirs" });
    assert.equal(taken.statusCode, 422);
    assert.match(taken.body, /there is no role with the name/);
    for (let at = 0; at < 60; at += 1) await aRole(store, { name: `many ${at}`, organization_id: acme.id });
    const many = await admin.get(url);
    assert.deepEqual(offered(many, "role_ids"), []);
    assert.match(many.body, /<textarea[^>]*name="role_ids"[^>]*>\s*Auditor\nof the server</);
    assert.match(many.body, /id="field-role_ids-help">[^<]*one per line/);
    assert.equal((await fillIn(admin, url, { role_ids: "many 7\r\nAuditor" })).statusCode, 303);
    assert.equal((await store.find("memberships", { id: ids.memberships }))?.role_ids.length, 2);
  });

  test("OC-6: a group of 230 members can be read, searched and extended page by page, without scripts", async () => {
    const { store, ids, acme } = it;
    for (let at = 0; at < 230; at += 1) {
      const { id: user_id } = await aUser(store, { name: `Member ${at}`, email: `m${at}@example.com` });
      const membership = await aMembership(store, { user_id, organization_id: acme.id });
      await aGroupMember(store, membership, { id: ids.groups });
    }
    const admin = it.browsers["organization admin"];
    const page = await admin.get(`/console/groups/${ids.groups}`);
    assert.match(page.body, new RegExp(`/console/group-members/new\\?[^"]*group_id=${ids.groups}`));
    const all = `/console/group-members?group_id=${ids.groups}`;
    let seen = 0;
    for (let url: string | undefined = all; url !== undefined; ) {
      const { body } = await admin.get(url);
      seen += [...body.matchAll(/href="\/console\/group-members\/[0-9a-f-]{36}"/g)].length;
      const next: string | undefined =
        /<a[^>]* rel="next"[^>]*href="([^"]*)"|<a[^>]*href="([^"]*)"[^>]* rel="next"/
          .exec(body)
          ?.slice(1)
          .find((each) => each !== undefined);
      url = next?.replaceAll("&amp;", "&");
    }
    assert.ok(seen >= 231, String(seen));
    const found = await admin.get(`${all}&q=m117`);
    assert.match(found.body, /Member 117/);
    assert.doesNotMatch(found.body, /Member 118/);
  });

  test("OC-6: lists name a member's custom roles, and the group to which a member belongs", async () => {
    const admin = it.browsers["platform administrator"];
    const { id: user_id } = await aUser(it.store, { email: "lists@example.com" });
    const { id } = await aRole(it.store, { name: "Approver", organization_id: it.acme.id });
    await aMembership(it.store, { user_id, organization_id: it.acme.id, role_ids: [id] });
    const list = await admin.get(`/console/memberships?user_id=${user_id}`);
    assert.match(list.body, /<code class="badge" title="Approver">Approver</);
    const made = { group_id: it.ids.groups, email: "lists@example.com" };
    assert.equal((await fillIn(admin, "/console/group-members/new", made)).statusCode, 303);
    const group = await it.store.find("groups", { id: it.ids.groups });
    const trail = await admin.get("/console/audit-events");
    assert.match(trail.body, new RegExp(` · ${group?.display_name}</bdi>`));
  });

  test("OC-6: a group is chosen by name or id, and among groups of the same name by the organization of the user", async () => {
    const { store, acme, ids } = it;
    const other = await anOrganization(store, { name: "Globex" });
    const [elsewhere, unseen] = [
      await aGroup(store, { organization_id: other.id, display_name: "Sales" }),
      await aGroup(store, { organization_id: other.id, display_name: "Night shift" }),
    ];
    const admin = it.browsers["organization admin"];
    const url = "/console/group-members/new";
    const linked = async (browser: typeof admin, id: string) =>
      formOn(await browser.get(`${url}?group_id=${id}`)).fields.group_id;
    assert.equal(await linked(admin, ids.groups), "Sales");
    assert.equal(await linked(root(), ids.groups), ids.groups, "two groups have this name");
    const memberOf = async (organization_id: string, email: string) => {
      const user = await aUser(store, { email });
      await aMembership(store, { user_id: user.id, organization_id });
      return user.id;
    };
    const ofBoth = await memberOf(acme.id, "both@example.com");
    await aMembership(store, { user_id: ofBoth, organization_id: other.id });
    const cases = [
      [admin, "Sales", await memberOf(acme.id, "acme@example.com"), "acme@example.com", ids.groups],
      [admin, "Sales", ofBoth, "both@example.com", ids.groups],
      [root(), "Sales", await memberOf(other.id, "globex@example.com"), "globex@example.com", elsewhere.id],
      [root(), "Sales", ofBoth, "both@example.com", undefined],
      [admin, "Night shift", ofBoth, "both@example.com", undefined],
      [admin, unseen.id, ofBoth, "both@example.com", undefined],
    ] as const;
    const answers: string[] = [];
    for (const [browser, group_id, user_id, email, expected] of cases) {
      const sent = await fillIn(browser, url, { group_id, email });
      const joined = await store.list("group_members", { user_id, group_id: expected ?? elsewhere.id });
      assert.equal(joined.length, expected === undefined ? 0 : 1, `${group_id} ${email}`);
      answers.push(sent.statusCode === 303 ? "" : sent.body);
    }
    assert.match(answers[3] ?? "", new RegExp(`more than one group: use the id, such as .*${elsewhere.id}`));
    assert.match(answers[4] ?? "", /there is no group with the name &quot;Night shift&quot;/);
    assert.match((await admin.get(`/console/suggestions/groups?q=Sal`)).body, /Sales/);
  });

  test("a form submitted twice creates one record, and shows its secret both times", async () => {
    const page = await root().get("/console/apps/new?kind=website&organization_id=acme");
    const { action, fields } = formOn(page);
    const form = { ...fields, name: "Twice" };
    const answers = await Promise.all([root().post(action, form), root().post(action, form)]);
    const again = await root().post(action, form);
    const secrets = [...answers, again].flatMap(
      ({ body }) => /<div class="secret"><code>([^<]+)</.exec(body)?.[1] ?? [],
    );
    assert.ok(secrets.length >= 2);
    assert.equal(new Set(secrets).size, 1);
    assert.equal((await it.store.list("oauth_apps", { name: "Twice" })).length, 1);

    // Going back and changing a field creates another record.
    assert.equal((await root().post(action, { ...form, name: "Thrice" })).statusCode, 200);
    assert.equal((await it.store.list("oauth_apps", { name: "Thrice" })).length, 1);
  });

  test("a link to a form fills in the parent of the new record, but no permission", async () => {
    const page = await root().get(
      "/console/apps/new?kind=website&organization_id=acme&first_party=true&allowed_scopes=postern:manage&name=Taken",
    );
    const { fields } = formOn(page);
    assert.equal(fields.organization_id, "acme");
    assert.equal(fields.name, "");
    assert.doesNotMatch(page.body, /<textarea[^>]*>[^<]*postern:manage/);
    assert.doesNotMatch(page.body, /name="first_party"[^>]* checked/);
  });

  test("OC-8: a new app of an organization is for its members, and any other new app is for everyone", async () => {
    for (const [organization_id, audience] of [
      ["acme", "members"],
      ["", "any"],
    ] as const) {
      const { action, fields } = formOn(await root().get("/console/apps/new?kind=website"));
      assert.equal(fields.who_may_sign_in, "");
      const name = `For ${audience}`;
      assert.equal((await root().post(action, { ...fields, name, organization_id })).statusCode, 200);
      assert.equal((await it.store.find("oauth_apps", { name }))?.who_may_sign_in, audience);
    }
    const { fields } = formOn(await root().get("/console/apps/new?kind=machine"));
    assert.ok(!Object.hasOwn(fields, "who_may_sign_in"));
  });

  test("the form of an app shows grant types by their standard names, and offers none that is disabled", async () => {
    const { body } = await root().get("/console/apps/new?kind=website");
    const offered = [...body.matchAll(/name="allowed_grants" value="([^"]*)"[\s\S]*?<code[^>]*>([^<]*)/g)];
    assert.deepEqual(
      offered.map(([, value, spelled]) => [value, spelled]),
      [
        ["auth_code", "authorization_code"],
        ["refresh", "refresh_token"],
        ["client_credentials", "client_credentials"],
      ],
    );
    const { action, fields } = formOn({ body });
    const names = ["authorization_code", "refresh_token"];
    const made = await root().post(action, { ...fields, name: "Wired", allowed_grants: names });
    assert.equal(made.statusCode, 200);
    const [app] = await it.store.list("oauth_apps", { name: "Wired" });
    assert.deepEqual(app?.allowed_grants, ["auth_code", "refresh"]);
  });

  test("a form refused with errors can be submitted again", async () => {
    const { action, fields } = formOn(await root().get("/console/organizations/new"));
    const refused = await root().post(action, { ...fields, name: "Umbrella", slug: "Not A Slug" });
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, /must contain only lowercase letters, digits and hyphens/);
    assert.match(refused.body, /value="Umbrella"/);
    const { fields: again } = formOn(refused);
    assert.equal(again.form_id, fields.form_id);
    assert.equal((await root().post(action, { ...again, slug: "umbrella" })).statusCode, 303);
  });

  test("the help text of an empty field differs between a new record and a change", async () => {
    const said = async (path: string, name: string) =>
      new RegExp(`id="field-${name}-help">([^<]*)<`).exec((await root().get(path)).body)?.[1] ?? "";
    assert.match(await said("/console/apps/new?kind=website", "owner_id"), /Leave empty to choose yourself/);
    assert.doesNotMatch(await said(`/console/apps/${it.orders.id}/edit`, "owner_id"), /empty/);
    assert.doesNotMatch(await said("/console/users/new", "password"), /keep the current/);
  });

  test("only for platform administrators does a form say that a record's organization may be left empty", async () => {
    const said = async (who: keyof ConsoleFixture["browsers"]) =>
      /id="field-organization_id-help">([^<]*)</.exec(
        (await it.browsers[who].get("/console/roles/new")).body,
      )?.[1];
    assert.match(
      (await said("platform administrator")) ?? "",
      /^Leave empty for a role that every organization/,
    );
    assert.equal(await said("organization admin"), "The name, slug or ID of the organization.");
  });

  test("the identifier of an organization's API starts with the organization's name and needs a further part", async () => {
    const admin = it.browsers["organization admin"];
    const url = "/console/resources/new";
    const page = await admin.get(url);
    const begun = `urn:postern:organization:${it.acme.id}:`;
    assert.equal(formOn(page).fields.identifier, begun);
    assert.match(page.body, /Begins with urn:postern:organization: and the ID/);
    assert.equal(formOn(await root().get(url)).fields.identifier, "");
    const bare = await fillIn(admin, url, { name: "Bare" });
    assert.equal(bare.statusCode, 422);
    assert.match(bare.body, /id="field-identifier"[^>]*aria-invalid="true"/);
    assert.equal((await fillIn(admin, url, { name: "Stock", identifier: `${begun}stock` })).statusCode, 303);
  });

  test("a new API key requires a scope, and belongs to the viewer if no organization is chosen", async () => {
    const admin = it.browsers["organization admin"];
    const url = "/console/api-keys/new";
    assert.match((await admin.get(url)).body, /Leave empty for a key of your own/);
    const refused = await fillIn(admin, url, { name: "Useless" });
    assert.equal(refused.statusCode, 422);
    assert.match(refused.body, /href="#field-scopes">[^<]*<\/a>: is required/);
    const made = await fillIn(admin, url, { name: "Mine", scopes: "postern:apps:read" });
    assert.equal(made.statusCode, 200);
    const [key] = await it.store.list("api_keys", { name: "Mine" });
    assert.equal(key?.user_id, it.people["organization admin"].id);
  });

  test("forms do not offer an organization's administrator any role or attribute type that would be refused", async () => {
    const radios = async (who: keyof ConsoleFixture["browsers"]) =>
      [
        ...(await it.browsers[who].get(`/console/memberships/${it.ids.memberships}/edit`)).body.matchAll(
          /type="radio" name="role" value="([^"]*)"/g,
        ),
      ].map(([, role]) => role);
    assert.deepEqual(await radios("organization admin"), ["admin", "developer", "member"]);
    assert.deepEqual(await radios("platform administrator"), ["owner", "admin", "developer", "member"]);
    const attribute = async (who: keyof ConsoleFixture["browsers"]) =>
      (await it.browsers[who].get("/console/attributes/new")).body;
    assert.match(await attribute("platform administrator"), /<option value="users"/);
    const theirs = await attribute("organization admin");
    assert.doesNotMatch(theirs, /<option value="users"|Platform administrators read/);
    assert.match(theirs, /<option value="memberships"/);
  });

  test("the form of a new provider does not offer to keep the current secret", async () => {
    const said = /Leave empty to keep the current one/;
    assert.doesNotMatch((await root().get("/console/providers/new?preset=oidc")).body, said);
    assert.match((await root().get(`/console/providers/${it.ids.providers}/edit`)).body, said);
  });

  test("every error is shown at its field, and typed text is kept except for secrets", async () => {
    const refused = await fillIn(root(), "/console/users/new", {
      email: "not an address",
      name: "<b>Ada</b>",
      password: "short",
      avatar_url: "javascript:alert(1)",
    });
    assert.equal(refused.statusCode, 422);
    for (const [field, error] of [
      ["email", /must be an email address/],
      ["password", /8 characters/],
      ["avatar_url", /must be an http or https URL/],
    ] as const) {
      assert.match(refused.body, new RegExp(`id="field-${field}"[^>]*aria-invalid="true"`), field);
      assert.match(refused.body, error);
    }
    assert.match(refused.body, /value="&lt;b&gt;Ada&lt;\/b&gt;"/);
    assert.doesNotMatch(refused.body, /value="short"|<b>Ada/);

    const apps = await fillIn(root(), "/console/apps/new?kind=website", {
      name: "Faulty",
      organization_id: "nobody",
      owner_id: "nobody@example.com",
      metadata: "{",
      access_token_ttl: "soon",
    });
    assert.match(apps.body, /there is no organization with this slug, name or ID/);
    assert.match(apps.body, /there is no user with this email address, name or ID/);
    assert.match(apps.body, /must be valid JSON; the error is at line 1, column 2/);
    assert.match(apps.body, /must be an integer/);
    const uris = await fillIn(root(), "/console/apps/new?kind=website", {
      name: "F",
      redirect_uris: "https://a.example/cb\nnonsense",
    });
    assert.equal(uris.statusCode, 422);
    assert.match(uris.body, /2: must/);
    const { action: again, fields: typed } = formOn(uris);
    const inSpanish = await root().post(again, typed, { "accept-language": "es" });
    assert.match(inSpanish.body, /2: debe/);
    const spanish = await root().get("/console/users/new");
    const { action, fields } = formOn(spanish);
    const answer = await root().post(
      action,
      { ...fields, email: "x@example.com", name: "" },
      { "accept-language": "es" },
    );
    assert.match(answer.body, /es obligatorio|no puede estar vacío/);
  });

  test("an unknown user is reported at the email field, which the form asks for instead of an id", async () => {
    for (const list of ["memberships", "group-members"]) {
      const path = `/console/${list}/new`;
      const page = await it.browsers["platform administrator"].get(path);
      assert.match(page.body, /<input id="field-email"[^>]* required/);
      const refused = await fillIn(it.browsers["platform administrator"], path, {});
      assert.equal(refused.statusCode, 422);
      assert.match(refused.body, /<a href="#field-email">Email<\/a>: is required/);
      assert.doesNotMatch(refused.body, /user_id|membership_id/);
    }
  });

  test("a form with an unknown organization also reports all its other errors, including lines and taken names", async () => {
    const faulty = {
      name: "Faulty",
      client_id: "orders",
      organization_id: "nobody",
      redirect_uris: "https://a.example/cb\nnonsense\nalso nonsense",
      access_token_ttl: "0",
      allowed_scopes: "openid, profile",
    };
    const errors: readonly (readonly [string, RegExp])[] = [
      ["organization_id", /no organization with this slug, name or ID/],
      ["client_id", /taken|has this already|another/],
      ["redirect_uris", /2: must[\s\S]*3: must/],
      ["access_token_ttl", /at least 1/],
    ];
    for (const who of [root(), it.browsers["organization admin"]]) {
      const { body, statusCode } = await fillIn(who, "/console/apps/new?kind=website", faulty);
      assert.equal(statusCode, 422);
      for (const [field, error] of errors) {
        const said = new RegExp(`id="field-${field}-error">(.*?)</p>`, "s").exec(body)?.[1] ?? "nothing";
        assert.match(said, error, field);
      }
      assert.doesNotMatch(body, /id="field-(?:allowed_scopes|owner_id|name)-error"/);
    }
    // That the email is already in use is reported together with the other error.
    const taken = await fillIn(root(), "/console/users/new", {
      email: "MINA@example.com",
      name: "M",
      avatar_url: "ftp://example.com",
      password: "correct horse battery staple",
    });
    assert.match(taken.body, /id="field-email-error"/);
    assert.match(taken.body, /id="field-avatar_url-error"/);
    const edit = `/console/apps/${it.orders.id}/edit`;
    const changed = await fillIn(root(), edit, {
      owner_id: "nobody@example.com",
      access_token_ttl: "0",
      redirect_uris: "nonsense",
    });
    for (const field of ["owner_id", "access_token_ttl", "redirect_uris"]) {
      assert.match(changed.body, new RegExp(`id="field-${field}-error"`), field);
    }
    assert.doesNotMatch(changed.body, /id="field-client_id-error"/);
  });

  test("a duration is entered as a number with a unit, and stored in seconds", async () => {
    const { id } = await anApp(it.store, { access_token_ttl: 5400, refresh_token_ttl: 604_800 });
    const edit = `/console/apps/${id}/edit`;
    const { action, fields } = formOn(await root().get(edit));
    const parts = [
      ...["access_token_ttl", "access_token_ttl.unit", "refresh_token_ttl", "refresh_token_ttl.unit"],
    ];
    assert.deepEqual(
      parts.map((name) => fields[name]),
      ["90", "min", "7", "d"],
    );
    const send = (changes: Fields) => root().post(action, { ...fields, ...changes });
    const same = await send({ refresh_token_ttl: "168", "refresh_token_ttl.unit": "h" });
    assert.match(same.headers.location ?? "", /done=unchanged/);
    for (const wrong of ["soon", "1.5", "", "400"]) {
      const refused = await send({ access_token_ttl: wrong, "access_token_ttl.unit": "d" });
      assert.equal(refused.statusCode, 422, wrong);
      assert.match(refused.body, /id="field-access_token_ttl-error"/);
    }
    const shown = await send({ access_token_ttl: "400", "access_token_ttl.unit": "d" });
    assert.equal(formOn(shown).fields["access_token_ttl.unit"], "d");
    assert.equal((await send({ access_token_ttl: "2", "access_token_ttl.unit": "h" })).statusCode, 303);
    const stored = await it.store.find("oauth_apps", { id });
    assert.deepEqual([stored?.access_token_ttl, stored?.refresh_token_ttl], [7200, 604_800]);
  });

  test("scopes may be separated by spaces, commas or lines", async () => {
    const made = await fillIn(root(), "/console/apps/new?kind=website", {
      name: "Spaced",
      client_id: "spaced",
      redirect_uris: "https://spaced.example/cb",
      allowed_scopes: "openid profile,email\r\n  a:read,\ta:write openid",
    });
    assert.equal(made.statusCode, 200);
    const app = await it.store.find("oauth_apps", { client_id: "spaced" });
    assert.deepEqual(app?.allowed_scopes, ["openid", "profile", "email", "a:read", "a:write"]);
    // A comma is a valid character of scopes (RFC 6749 3.3), so an existing one is kept.
    await it.store.update("oauth_apps", { client_id: "spaced" }, { allowed_scopes: ["x,y", "z"] });
    const edited = await fillIn(root(), `/console/apps/${app?.id}/edit`, { allowed_scopes: "x,y z u,v" });
    assert.equal(edited.statusCode, 303);
    const { allowed_scopes } = (await it.store.find("oauth_apps", { client_id: "spaced" })) ?? {};
    assert.deepEqual(allowed_scopes, ["x,y", "z", "u", "v"]);
  });

  test("permissions are chosen in a grid of those that the viewer has, and other entries are kept", async () => {
    const admin = it.browsers["organization admin"];
    const form = "/console/service-accounts/new";
    const { body } = await admin.get(form);
    assert.match(body, /name="allowed_scopes\.apps" value="postern:apps:read postern:apps:write"/);
    assert.match(body, /name="allowed_scopes\.apps" value="" checked><span class="unseen">apps: No access/);
    assert.doesNotMatch(body, /name="allowed_scopes\.(?:signing_keys|sessions)|audit_events:write/);
    assert.match((await root().get("/console/api-keys/new")).body, /name="scopes\.signing_keys"/);
    const made = await fillIn(admin, form, {
      name: "Grid",
      email: "grid@acme.example",
      organization_id: "acme",
      "allowed_scopes.apps": "postern:apps:read postern:apps:write",
      "allowed_scopes.users": "postern:users:read",
      allowed_scopes: "orders:read",
    });
    assert.equal(made.statusCode, 303, made.body);
    const scopesNow = async () => {
      const [account] = await it.store.list("service_accounts", { email: "grid@acme.example" });
      assert.ok(account);
      return account;
    };
    const { id, allowed_scopes } = await scopesNow();
    const all = ["orders:read", "postern:apps:read", "postern:apps:write", "postern:users:read"];
    assert.deepEqual(allowed_scopes.toSorted(), all);
    const edit = `/console/service-accounts/${id}/edit`;
    assert.match((await admin.get(edit)).body, /value="postern:apps:read postern:apps:write"[^>]* checked/);
    assert.match((await fillIn(admin, edit, {})).headers.location ?? "", /done=unchanged/);
    assert.equal((await fillIn(admin, edit, { "allowed_scopes.apps": "postern:apps:read" })).statusCode, 303);
    assert.deepEqual((await scopesNow()).allowed_scopes.toSorted(), [all[0], all[1], all[3]]);
    // Scopes without a check box in the form, and a write permission without its read permission, are kept.
    const odd = ["postern:apps:write", "postern:manage"];
    await it.store.update("service_accounts", { id }, { allowed_scopes: odd });
    assert.equal((await fillIn(root(), edit, { name: "Odd" })).statusCode, 303);
    assert.deepEqual((await scopesNow()).allowed_scopes, odd);
    // The error names the scope that the caller may not grant, and the other scopes stay selected.
    const refused = await fillIn(admin, form, {
      name: "Beyond",
      email: "beyond@acme.example",
      organization_id: "acme",
      "allowed_scopes.apps": "postern:apps:read",
      "allowed_scopes.signing_keys": "postern:signing_keys:read",
    });
    assert.equal(refused.statusCode, 403);
    assert.match(refused.body, /id="field-allowed_scopes-error">postern:signing_keys:read: /);
    assert.match(refused.body, /name="allowed_scopes\.apps" value="postern:apps:read"[^>]* checked/);
  });

  test("a permission that the viewer may not grant is reported at its field, or above the form", async () => {
    const admin = it.browsers["organization admin"];
    const { action, fields } = formOn(await admin.get("/console/apps/new?kind=website"));
    // The form fills in the only organization in which the administrator may create apps.
    assert.equal(fields.organization_id, "acme");
    assert.equal(fields.first_party, undefined);
    assert.equal(fields.owner_id, undefined);
    const reserved = await admin.post(action, { ...fields, name: "Reach", allowed_scopes: "postern:manage" });
    assert.equal(reserved.statusCode, 403);
    assert.match(reserved.body, /id="field-allowed_scopes"[^>]*aria-invalid="true"/);
    const nowhere = await admin.post(action, { ...fields, name: "Nowhere", organization_id: "" });
    assert.equal(nowhere.statusCode, 403);
    assert.match(nowhere.body, /this requires the permission apps:write/);
    // Fields that the form does not show are ignored.
    const smuggled = await admin.post(action, {
      ...fields,
      name: "Smuggled",
      first_party: "true",
      revoked_at: "2030-01-01T00:00Z",
    });
    assert.equal(smuggled.statusCode, 200);
    const [app] = await it.store.list("oauth_apps", { name: "Smuggled" });
    assert.equal(app?.first_party, false);
    assert.equal(app?.revoked_at, null);
  });

  test("the query of a form's URL fills in its fields", async () => {
    const page = await root().get(
      `/console/app-secrets/new?app_id=${it.orders.id}&expire_others_in=86400&value=no`,
    );
    const { fields } = formOn(page);
    assert.equal(fields.app_id, "orders");
    assert.deepEqual([fields.expire_others_in, fields["expire_others_in.unit"]], ["1", "d"]);
    assert.equal(fields.value, "");
  });

  test("C-9: after a rotation the new secret works immediately, and the old one for another day", async () => {
    const admin = it.browsers["organization admin"];
    const page = await admin.get(`/console/apps/${it.orders.id}`);
    const link = /href="([^"]*expire_others_in=86400)"/.exec(page.body)?.[1]?.replaceAll("&amp;", "&");
    assert.ok(link);
    const made = await fillIn(admin, link);
    assert.equal(made.statusCode, 200, made.body);
    const secret = /<div class="secret"><code>([^<]+)</.exec(made.body)?.[1];
    assert.ok(secret);
    assert.equal(made.headers["cache-control"], "no-store");
    const answer = await it.app.inject({
      method: "POST",
      url: "/oauth/introspect",
      headers: {
        authorization: `Basic ${Buffer.from(`orders:${secret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: "token=x",
    });
    assert.deepEqual([answer.statusCode, answer.json()], [200, { active: false }]);
    const old = await it.store.find("oauth_app_secrets", { id: it.ids.app_secrets });
    assert.deepEqual(old?.expires_at, later(86_400, it.server.now()));
    const list = await admin.get(`/console/app-secrets?app_id=${it.orders.id}`);
    assert.ok(!list.body.includes(secret));
  });

  test("a form writes only changed fields, and nothing if none changed", async () => {
    const edit = `/console/apps/${it.orders.id}/edit`;
    const before = await it.store.find("oauth_apps", { id: it.orders.id });
    const same = await fillIn(root(), edit);
    assert.equal(same.headers.location, `/console/apps/${it.orders.id}?done=unchanged`, same.body);
    assert.deepEqual(await it.store.find("oauth_apps", { id: it.orders.id }), before);
    const changed = await fillIn(root(), edit, { description: "Takes orders" });
    assert.equal(changed.statusCode, 303);
    const events = await it.store.list("audit_events", { target_id: it.orders.id, type: "app.updated" });
    assert.deepEqual(Object.keys((events.at(-1)?.details?.after ?? {}) as object), ["description"]);
  });

  test("saving over a concurrent change shows both versions, and lets the user decide", async () => {
    const edit = `/console/apps/${it.orders.id}/edit`;
    const { action, fields } = formOn(await root().get(edit));
    await fillIn(root(), edit, { name: "Orders of others" });
    const stale = await root().post(action, { ...fields, name: "Orders of mine", metadata: "" });
    assert.equal(stale.statusCode, 412);
    assert.match(stale.body, /value="Orders of mine"/);
    assert.match(stale.body, /is Orders of others now/);
    assert.equal((await it.store.find("oauth_apps", { id: it.orders.id }))?.name, "Orders of others");
    const { fields: anew } = formOn(stale);
    assert.equal((await root().post(action, anew)).statusCode, 303);
    assert.equal((await it.store.find("oauth_apps", { id: it.orders.id }))?.name, "Orders of mine");
    // Without the ETag, or with an invented one, nothing is written.
    for (const etag of ["", '"x.y"']) {
      assert.equal((await root().post(action, { ...anew, etag, name: "Blind" })).statusCode, 412);
    }
  });

  test("users can change their own name, and their password after entering the old one", async () => {
    const browser = it.browsers.stranger;
    const { id } = it.people.stranger;
    const { fields } = formOn(await browser.get(`/console/users/${id}/edit`));
    const own = ["family_name", "given_name", "locale", "phone_number", "zoneinfo"];
    assert.deepEqual(Object.keys(fields).toSorted(), [
      ...own.map((name) => `attributes.${name}`),
      "avatar_url",
      "csrf_token",
      "etag",
      "name",
    ]);
    const renamed = await fillIn(browser, `/console/users/${id}/edit`, { name: "Strange" });
    assert.equal(renamed.statusCode, 303);
    const requested = await browser.get(`/console/users/${id}/change-password`);
    assert.match(requested.body, /id="field-password"[^>]* required/);
    assert.doesNotMatch(requested.body, /Leave empty/, "the field is required");
    const wrong = await confirmOn(browser, `/console/users/${id}/change-password`, {
      password: "another long password",
      current_password: "not this",
    });
    assert.equal(wrong.statusCode, 422);
    assert.match(wrong.body, /id="field-current_password"[^>]*aria-invalid/);
    assert.doesNotMatch(wrong.body, /another long password|not this/);
  });
});
