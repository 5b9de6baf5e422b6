/** Lists of the console: order, pages, menus, exports, and actions on many records. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { impersonalEmail } from "../../src/records/names/names.ts";
import { aPerson, browserOf } from "../support/app.ts";
import {
  aMembership,
  anApp,
  anEvent,
  anOrganization,
  aRefusal,
  aSession,
  aToken,
  aUser,
  later,
} from "../support/builders.ts";
import { type ConsoleFixture, consoleFixture, fillIn, formOn, shown } from "../support/console.ts";

/** Returns the texts of the name cells, in order. */
const namesIn = (body: string) =>
  [...body.matchAll(/<th role="rowheader"[^>]*>.*?<bdi[^>]*>([^<]*)</g)].map(([, name]) => name);

describe("lists of the console", () => {
  let it: ConsoleFixture;
  before(async () => {
    it = await consoleFixture();
  });
  const root = () => it.browsers["platform administrator"];

  test("a list starts with the newest record, and can be sorted by its column headings in both directions", async () => {
    for (const [name, seconds] of [
      ["Zoe", 10],
      ["anna", 20],
      ["Mia", 30],
    ] as const)
      await aUser(it.store, { name, email: `${name}@sorted.example`, created_at: later(seconds) });
    const newest = await root().get("/console/users");
    assert.deepEqual(namesIn(newest.body).slice(0, 3), ["Mia", "anna", "Zoe"]);
    assert.match(
      newest.body,
      /aria-sort="descending"><a class="sort" href="[^"]*sort=created_at&amp;order=asc"/,
    );
    const byName = await root().get("/console/users?sort=name&order=asc");
    const names = namesIn(byName.body).map((name) => String(name).toLowerCase());
    assert.deepEqual(names, names.toSorted());
    assert.match(
      byName.body,
      /aria-sort="ascending"><a class="sort" href="[^"]*sort=name&amp;order=desc">User</,
    );
    const back = await root().get("/console/users?sort=name&order=desc");
    assert.deepEqual(namesIn(back.body), namesIn(byName.body).toReversed());
  });

  test("the list of refused requests shows the reason and the app of each", async () => {
    const refused = await aPerson(it, { name: "Refused Rita" });
    const description = "the redirect_uri is not registered";
    await aRefusal(it.store, { app_id: it.orders.id, user_id: refused.id, description });
    const { body } = await root().get("/console/refusals");
    assert.ok(body.includes(description));
    assert.ok(body.includes(`href="/console/users/${refused.id}"`));
    assert.match(body, /Refused Rita/);
  });

  test("for every resource type, a list that cannot be sorted as requested says so", async () => {
    for (const { path } of shown) {
      const page = await root().get(`/console/${path}?sort=password_hash`);
      assert.equal(page.statusCode, 422, path);
      assert.match(page.body, /role="alert"/);
    }
  });

  test("a list offers a new record only if administrators create records of that type", async () => {
    const offered = async (path: string) =>
      (await root().get(`/console/${path}`)).body.includes(`href="/console/${path}/new"`);
    for (const path of ["consents", "linked-accounts"]) assert.equal(await offered(path), false, path);
    for (const path of ["apps", "users", "organizations"]) assert.equal(await offered(path), true, path);
  });

  test("a list links the next and previous page, shows the total, and remembers the page length", async () => {
    const browser = await browserOf(it, it.people["platform administrator"]);
    for (let index = 0; index < 60; index += 1)
      await aUser(it.store, { name: `Turned ${index}`, created_at: later(index) });
    const hrefOf = (body: string, rel: string) =>
      new RegExp(`href="([^"]*)" rel="${rel}"`).exec(body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const first = await browser.get("/console/users?q=turned");
    assert.match(first.body, /<span>1–25 of 60<\/span>/);
    const second = await browser.get(hrefOf(first.body, "next"));
    assert.match(second.body, /<span>26–50 of 60<\/span>/);
    const again = await browser.get(hrefOf(second.body, "prev"));
    assert.deepEqual(namesIn(again.body), namesIn(first.body));
    assert.match(again.body, /<span>1–25 of 60<\/span>/);
    const longer = await browser.get("/console/users?q=turned&limit=100");
    assert.equal(namesIn(longer.body).length, 60);
    assert.match(
      String(longer.headers["set-cookie"]),
      /postern_page_length=100; Max-Age=31536000; Path=\/console/,
    );
    const remembered = await browser.get("/console/users?q=turned");
    assert.equal(namesIn(remembered.body).length, 60);
    for (const limit of ["0", "7", "1000000", "x"])
      assert.equal(namesIn((await browser.get(`/console/users?q=turned&limit=${limit}`)).body).length, 60);
  });

  test("the list of users says which records belong to this server and represent no person", async () => {
    const app = "Postern command line";
    const { id } = await aUser(it.store, { name: app, email: impersonalEmail("01"), active: false });
    for (const url of ["/console/users?q=Postern", `/console/users/${id}`])
      assert.ok((await root().get(url)).body.includes(`${app} (not a person)`), url);
    assert.ok(!(await root().get(`/console/users/${it.people.stranger.id}`)).body.includes("(not a person)"));
  });

  test("a list offers filter values in menus, and the audit log its most frequent filters", async () => {
    const { orders, acme } = it;
    const { body } = await root().get("/console/audit-events");
    assert.match(body, /<select id="field-type"[\s\S]*?<option value="app.created">App created<\/option>/);
    assert.match(body, /<select id="field-target_table"[\s\S]*?<option value="oauth_apps">App<\/option>/);
    assert.match(
      body,
      /<input id="field-organization_id"[^>]* data-suggestions="\/console\/suggestions\/organizations"/,
    );
    assert.match(body, /<input id="field-actor_id"[^>]* data-suggestions="\/console\/suggestions\/users"/);
    assert.match(body, /href="\/console\/audit-events\?type=sign_in&amp;outcome=failure">Failed sign-ins</);
    for (const type of ["app.updated", "passkey.created", "token_issued", "sign_in"])
      await anEvent(it.store, { type, organization_id: acme.id, created_at: later(50) });
    for (const viewer of ["platform administrator", "organization admin"] as const) {
      const changes = namesIn((await it.browsers[viewer].get("/console/audit-events?group=changes")).body);
      assert.ok(changes.includes("App changed") && changes.includes("Passkey added"), String(changes));
      assert.ok(!changes.includes("Token issued") && !changes.includes("Sign-in"), String(changes));
      const one = await it.browsers[viewer].get("/console/audit-events?group=changes&type=app.updated");
      assert.deepEqual([...new Set(namesIn(one.body))], ["App changed"]);
      const none = await it.browsers[viewer].get("/console/audit-events?group=changes&type=sign_in");
      assert.deepEqual(namesIn(none.body), []);
    }
    assert.match(body, /href="\/console\/audit-events\?created_from=2029-12-31T23%3A00Z">Last hour</);
    const tokens = await root().get(`/console/tokens?app_id=${orders.id}`);
    assert.match(tokens.body, /<input id="field-app_id"[^>]* value="orders"/);
    // A user who may not see apps sees no app names.
    const lonely = await browserOf(it, await aPerson(it, { name: "Nobody's" }));
    const theirs = await lonely.get(`/console/tokens?app_id=${orders.id}`);
    assert.match(theirs.body, new RegExp(`<input id="field-app_id"[^>]* value="${orders.id}"`));
  });

  test("the list of sessions says so if it shows only the viewer's own sessions", async () => {
    for (const [who, isSaid] of [
      ["organization admin", true],
      ["platform administrator", false],
    ] as const) {
      assert.equal(
        /Only your own are listed/.test((await it.browsers[who].get("/console/sessions")).body),
        isSaid,
      );
      assert.doesNotMatch((await it.browsers[who].get("/console/apps")).body, /Only your own are listed/);
    }
  });

  test("a list shows readable names for events, actors and addresses", async () => {
    await anEvent(it.store, {
      type: "key_pair.revoked",
      actor_kind: "user",
      actor_id: it.people["organization admin"].id,
      client_ip: "192.0.2.7",
      created_at: later(99),
    });
    const { body } = await root().get("/console/audit-events?type=key_pair.revoked");
    assert.deepEqual(namesIn(body), ["Key pair revoked"]);
    assert.match(body, /Adela[\s\S]*<code title="192.0.2.7">192.0.2.7</);
  });

  test("tokens, codes and sessions are shown by familiar names, followed by the whole id", async () => {
    const { ids } = it;
    const tokens = await root().get("/console/tokens");
    assert.match(tokens.body, /<bdi title="Orders · Mina">Orders · Mina</);
    assert.match(tokens.body, new RegExp(`<code title="${ids.tokens}">${ids.tokens}<`));
    const agent = "Mozilla/5.0 (X11; Linux x86_64) Chrome/129.0.0.0 Safari/537.36";
    await it.store.update("sessions", { id: ids.sessions }, { user_agent: agent });
    const { body } = await root().get("/console/sessions?user_id=mina@example.com");
    assert.deepEqual(namesIn(body), ["Chrome on Linux"]);
  });

  test("a list on the page of a record omits columns that repeat the record, and the form explains roles", async () => {
    const { acme, ids } = it;
    const organization = await root().get(`/console/organizations/${acme.id}`);
    assert.match(
      organization.body,
      new RegExp(`/console/memberships/${ids.memberships}"><bdi title="Mina">Mina<`),
    );
    await it.store.update("memberships", { id: ids.memberships }, { role: "auditor" });
    const form = await root().get(`/console/memberships/${ids.memberships}/edit`);
    assert.match(
      form.body,
      /type="radio" name="role" value="developer" required><span>Developer .*manages apps/,
    );
    assert.match(form.body, /type="radio" name="role" value="auditor" checked required><span><code>auditor</);
    const saved = await fillIn(root(), `/console/memberships/${ids.memberships}/edit`, { role: "developer" });
    assert.equal(saved.statusCode, 303, saved.body);
    assert.equal((await it.store.find("memberships", { id: ids.memberships }))?.role, "developer");
  });

  describe("downloaded as a file", () => {
    const exported = async (
      browser: ReturnType<typeof root>,
      path: string,
      fields: Record<string, string>,
    ) => {
      const { body } = await browser.get(path);
      const csrf_token = /action="\/console\/[a-z-]+\/export"[\s\S]*?name="csrf_token" value="([^"]*)"/.exec(
        body,
      )?.[1];
      return browser.post(`${path}/export`, { csrf_token: csrf_token ?? "", ...fields });
    };

    test("H-40: a downloaded list has the filtered records in order, and no formula that a spreadsheet would run", async () => {
      const hostile = [`=HYPERLINK("https://evil.example")`, "+1", "-1", "@SUM(A1)", "\tx"];
      for (const [index, name] of hostile.entries())
        await aUser(it.store, { name, email: `hostile${index}@exported.example`, created_at: later(index) });
      await aUser(it.store, {
        name: 'He said "hi", twice',
        email: "quoted@exported.example",
        created_at: later(9),
      });
      const answer = await exported(root(), "/console/users", {
        format: "csv",
        sort: "created_at",
        order: "asc",
        created_from: "2030-01-01T00:00Z",
      });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.match(String(answer.headers["content-type"]), /^text\/csv/);
      assert.match(
        String(answer.headers["content-disposition"]),
        /^attachment; filename="users-2030-01-01\.csv"$/,
      );
      const lines = answer.body.split("\r\n");
      assert.match(lines[0] ?? "", /^id,email,name,/);
      for (const cell of [
        ...[`"'=HYPERLINK(""https://evil.example"")"`, "'+1", "'-1", "'@SUM(A1)", `"'\tx"`],
        ...[`"He said ""hi"", twice"`],
      ])
        assert.ok(answer.body.includes(`,${cell},`), cell);
      assert.doesNotMatch(answer.body, /(?:^|,)"?[=+@-]/m);
      for (const secret of it.secrets) assert.ok(!answer.body.includes(secret));
      const [event] = await it.store.list("audit_events", { type: "records_exported" });
      assert.deepEqual(
        [event?.target_table, event?.actor_id, (event?.details as { format?: string })?.format],
        ["users", it.people["platform administrator"].id, "csv"],
      );
    });

    test("a downloaded list can be one JSON value per line with the fields of the API, for all pages", async () => {
      const answer = await exported(root(), "/console/users", { format: "jsonl", q: "turned" });
      const lines = answer.body
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      assert.equal(lines.length, 60);
      assert.ok(lines.every(({ password_hash }) => password_hash === undefined));
    });

    test("H-40: a downloaded list has the records that its reader sees, for each type, and no secret", async () => {
      for (const viewer of ["organization admin", "stranger"] as const) {
        const browser = it.browsers[viewer];
        for (const { path } of shown) {
          const list = await browser.get(`/console/${path}`);
          const answer = await exported(browser, `/console/${path}`, { format: "jsonl" });
          if (list.statusCode === 403 || !list.body.includes("/export")) {
            assert.notEqual(answer.statusCode, 200, path);
            continue;
          }
          assert.equal(answer.statusCode, 200, `${viewer} ${path} ${answer.body}`);
          const ids = answer.body.trimEnd().split("\n").filter(Boolean).length;
          assert.match(list.body, new RegExp(`<span>1–\\d+ of ${ids}</span>`), `${viewer} ${path}`);
          for (const secret of it.secrets) assert.ok(!answer.body.includes(secret));
        }
      }
    });

    test("a form from another site downloads no list, and wrong filters lead back to the list", async () => {
      const foreign = await root().post("/console/users/export", { format: "csv" });
      assert.equal(foreign.statusCode, 403);
      const wrong = await exported(root(), "/console/tokens", { app_id: "no such app" });
      assert.equal(wrong.statusCode, 303);
      assert.match(String(wrong.headers.location), /^\/console\/tokens\?app_id=no\+such\+app/);
    });
  });

  describe("with many records selected for one action", () => {
    const selected = async (path: string, ids: readonly string[], verb: string, browser = root()) => {
      const list = await browser.get(`/console/${path}`);
      const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(list.body)?.[1] ?? "";
      return browser.post(`/console/${path}/selected`, { csrf_token, verb, id: ids, back: "q=turned" });
    };

    test("H-41: the console asks once, shows everything that would end, and ends each record with its own event", async () => {
      const app = await anApp(it.store, { name: "Many" });
      const tokens = [];
      for (let index = 0; index < 5; index += 1)
        tokens.push(await aToken(it.store, { app_id: app.id, access_expires_at: later(900) }));
      const done = await aToken(it.store, { app_id: app.id, revoked: true, revoked_at: later(0) });
      const ids = [...tokens.map(({ id }) => id), done.id, "nonsense"];
      const requested = await selected("tokens", ids, "revoke");
      assert.equal(requested.statusCode, 200, requested.body);
      assert.match(requested.body, /<h1>Revoke 5 tokens\?<\/h1>/);
      assert.match(requested.body, /5 people lose access/);
      assert.match(requested.body, /It has already ended\./);
      assert.match(requested.body, /there is no token &quot;nonsense&quot;/);
      const { action, fields } = formOn(requested);
      const wrong = await root().post(action, { ...fields, confirm: "6" });
      assert.equal(wrong.statusCode, 422);
      assert.equal((await it.store.find("oauth_tokens", { id: tokens[0]?.id ?? "" }))?.revoked, false);
      const answer = await root().post(action, { ...fields, confirm: "5" });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.match(answer.body, /<h1>Tokens: 5 of 5 revoked<\/h1>/);
      assert.match(answer.body, /href="\/console\/tokens\?q=turned">Back to the list</);
      for (const { id } of tokens) {
        assert.equal((await it.store.find("oauth_tokens", { id }))?.revoked, true);
        const events = await it.store.list("audit_events", { type: "token.revoked", target_id: id });
        assert.equal(events.length, 1);
      }
    });

    test("H-41: a failure is reported with its reason, and the other records are still ended", async () => {
      const owner = await aUser(it.store, { name: "Owns an app" });
      await anApp(it.store, { owner_id: owner.id, organization_id: it.acme.id });
      const free = await aUser(it.store, { name: "Owns nothing" });
      const self = it.people["platform administrator"];
      const requested = await selected("users", [owner.id, free.id, self.id], "switch_off");
      const { action, fields } = formOn(requested);
      const answer = await root().post(action, { ...fields, confirm: "3" });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.match(answer.body, /<h1>Users: 2 of 3 switched off<\/h1>/);
      assert.match(answer.body, /Not possible for these records[\s\S]*Root/);
      assert.equal((await it.store.find("users", { id: free.id }))?.active, false);
      assert.equal((await it.store.find("users", { id: self.id }))?.active, true);
    });

    test("H-41: no record changes that the viewer may not write, and none by a form without a token", async () => {
      const admin = it.browsers["organization admin"];
      const stranger = await aUser(it.store, { name: "Of nobody" });
      await aMembership(it.store, { user_id: stranger.id });
      const app = await anApp(it.store, { name: "Foreign" });
      const requested = await selected("apps", [app.id, it.orders.id], "switch_off", admin);
      assert.equal(requested.statusCode, 200, requested.body);
      assert.match(requested.body, /Switch 1 app off\?/);
      const { action, fields } = formOn(requested);
      const forged = await admin.post(action, { ...fields, ids: app.id, confirm: "1" });
      assert.match(forged.body, /0 of 1 switched off/);
      assert.equal((await it.store.find("oauth_apps", { id: app.id }))?.active, true);
      const foreign = await admin.post(action, { ...fields, csrf_token: "none", confirm: "1" });
      assert.equal(foreign.statusCode, 403);
      const users = await admin.get("/console/users");
      assert.doesNotMatch(users.body, /type="checkbox" name="id"/);
    });

    test("H-41: a record that changed or became unreadable meanwhile is not ended without being shown again", async () => {
      const [moved, kept, twice] = [
        await anApp(it.store, { name: "Moved", client_id: "moved" }),
        await anApp(it.store, { name: "Kept", client_id: "kept" }),
        await anApp(it.store, { name: "Twice", client_id: "twice" }),
      ];
      const other = await anApp(it.store, { name: "Not asked about" });
      const { action, fields } = formOn(await selected("apps", [moved.id, kept.id, kept.id], "delete"));
      await it.store.update("oauth_apps", { id: moved.id }, { name: "Something else" });
      const answer = await root().post(action, { ...fields, confirm: "2" });
      assert.match(answer.body, /<h1>Apps: 1 of 2 deleted<\/h1>/);
      assert.match(answer.body, /the record has changed since it was read/i);
      assert.ok(await it.store.find("oauth_apps", { id: moved.id }));
      assert.equal(await it.store.find("oauth_apps", { id: kept.id }), undefined);

      // The form is sent with an id that the page did not show, and with a repeated id.
      const requested = formOn(await selected("apps", [twice.id], "delete"));
      const ids = `${twice.id} ${twice.id} ${other.id}`;
      const forged = await root().post(requested.action, { ...requested.fields, ids, confirm: "2" });
      assert.match(forged.body, /<h1>Apps: 0 of 2 deleted<\/h1>/);
      const many = Array.from({ length: 10_000 }, () => other.id).join(" ");
      const flood = await root().post(requested.action, { ...requested.fields, ids: many, confirm: "1" });
      assert.equal(flood.statusCode, 413);
      assert.ok(await it.store.find("oauth_apps", { id: other.id }));
    });

    test("H-41: a permission lost midway stops the remaining changes, and the last owner stays", async () => {
      const organization = await anOrganization(it.store, { name: "Twofold", slug: "twofold" });
      const owners = [await aPerson(it, { name: "First" }), await aPerson(it, { name: "Second" })] as const;
      const organization_id = organization.id;
      const memberships = [];
      for (const { id: user_id } of owners)
        memberships.push(await aMembership(it.store, { user_id, organization_id, role: "owner" }));
      const ids = memberships.map(({ id }) => id);
      const browser = await browserOf(it, owners[0]);
      // The user's own membership comes first, and its end removes the permission to end the other one.
      const own = formOn(await selected("memberships", ids, "delete", browser));
      const half = await browser.post(own.action, { ...own.fields, confirm: "2" });
      assert.match(half.body, /1 of 2 deleted/);
      assert.equal(await it.store.count("memberships", { organization_id }), 1);

      const { action, fields } = formOn(await selected("memberships", [ids[1] ?? ""], "delete"));
      const last = await root().post(action, { ...fields, confirm: "1" });
      assert.match(last.body, /0 of 1 deleted[\s\S]*the last owner/);
      assert.equal(await it.store.count("memberships", { organization_id }), 1);

      const away = formOn(await selected("memberships", [ids[1] ?? ""], "delete"));
      await it.store.update(
        "users",
        { id: it.people["platform administrator"].id },
        { is_platform_admin: false },
      );
      const lost = await root().post(away.action, { ...away.fields, confirm: "1" });
      await it.store.update(
        "users",
        { id: it.people["platform administrator"].id },
        { is_platform_admin: true },
      );
      assert.doesNotMatch(lost.body, /1 of 1 deleted/);
      assert.equal(await it.store.count("memberships", { organization_id }), 1);
    });

    test("H-41: the viewer's own session can be among the ended ones, which signs the viewer out", async () => {
      const person = await aPerson(it, { name: "Many devices", is_platform_admin: true });
      const browser = await browserOf(it, person);
      const [own] = await it.store.list("sessions", { user_id: person.id });
      const other = await aSession(it.store, { user_id: person.id, expires_at: later(86_400) });
      const { action, fields } = formOn(
        await selected("sessions", [own?.id ?? "", other.id], "revoke", browser),
      );
      const answer = await browser.post(action, { ...fields, confirm: "2" });
      assert.equal(answer.statusCode, 200);
      for (const id of [own?.id ?? "", other.id])
        assert.notEqual((await it.store.find("sessions", { id }))?.ended_at, null, answer.body);
      assert.equal((await browser.get("/console")).statusCode, 302);
    });

    test("H-41, T-5: at most two hundred records can be selected, and selecting none is explained", async () => {
      const ids = Array.from({ length: 200 }, () => crypto.randomUUID());
      assert.equal((await selected("tokens", ids, "revoke")).statusCode, 200);
      const more = await selected("tokens", [...ids, crypto.randomUUID()], "revoke");
      assert.match(String(more.headers.location), /q=turned&done=too_many_selected$/);
      const none = await selected("tokens", [], "revoke");
      assert.match(String(none.headers.location), /done=none_selected$/);
      const flood = await selected(
        "tokens",
        Array.from({ length: 300 }, () => crypto.randomUUID()),
        "revoke",
      );
      assert.equal(flood.statusCode, 400);
    });
  });
});
