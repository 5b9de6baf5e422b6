import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AccountNotice } from "../../src/admin/access/actor.ts";
import {
  actOnRecord,
  createRecord,
  removeRecord,
  revokeRecord,
  updateRecord,
} from "../../src/admin/manage/manage.ts";
import { resources } from "../../src/admin/resources/resources.ts";
import type { IdentitySettings } from "../../src/people/core/context/context.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { noticeKinds } from "../../src/records/names/notices.ts";
import { testContext } from "../admin/context.ts";
import { insertAny } from "../storage/any_row.ts";
import { aPersonAt, cookieOf, type Setting, submit } from "../support/account.ts";
import { aPerson, hiddenField, password, signInAs, testApp, testBrowser } from "../support/app.ts";
import { anApiKey, anOAuthAccount, aUser, later } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { routesOf } from "../support/routes.ts";
import { operations, routesOfPeople, timedNotices } from "./credential_writes.ts";

const writing = ["POST", "PUT", "PATCH", "DELETE"];

/** Every setting that adds routes. */
const everything: IdentitySettings = {
  extra_sign_in: ["passkey", "totp"],
  sign_up: "open",
  self_service: ["email", "export", "deletion"],
  recovery_delay_hours: 72,
};

/** Paths of the console, the management API and OAuth, whose writes other tests cover. */
const others = ["/console", "/api/", "/oauth/"];

test("SS-8: every account route that writes declares the notices it sends, or that it changes no sign-in method", async () => {
  const it = await testApp({ identity_settings: everything });
  const found = routesOf(it.app)
    .filter(({ method, path }) => writing.includes(method) && !others.some((each) => path.startsWith(each)))
    .map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(found.toSorted(), Object.keys(routesOfPeople).toSorted());
});

describe("SS-8: mails about changes by the management API", () => {
  test("SS-8: every management operation declares the notices it sends, or that it changes no sign-in method", () => {
    const writing = resources.filter(
      ({ create, update, remove, revoke }) => create ?? update ?? remove ?? revoke,
    );
    const tables = writing.map(({ table }) => table);
    assert.deepEqual(tables.toSorted(), Object.keys(operations).toSorted());
  });

  for (const database of databasesInForm) {
    for (const [table, verbs] of Object.entries(operations)) {
      if (verbs === "nothing") continue;
      for (const [verb, tells] of Object.entries(verbs)) {
        test(`${verb} of ${table} sends ${tells} by mail on ${database.name}`, async () => {
          const store = await database.open();
          const notices: AccountNotice[] = [];
          const context = { ...testContext(store), onAccountNotice: (it: AccountNotice) => notices.push(it) };
          const resource = resources.find((each) => each.table === table);
          assert.ok(resource);
          const user = await aUser(store, { email: "ada@example.com" });
          const id = await aRecord[table as keyof typeof aRecord](store, user);
          const [what, field = ""] = verb.split(" ");
          if (what === "create") await createRecord(context, resource, created(user)[table] ?? {});
          if (what === "update") await updateRecord(context, resource, id, { [field]: changed[field] });
          const reason = "lost";
          if (field === "reset_factors") await actOnRecord(context, resource, field, id, { reason });
          if (field === "remove_factor") {
            await insertAny(store, "totp_authenticators", { users: id });
            const { id: factor_id } = await insertAny(store, "passkeys", { users: id });
            await actOnRecord(context, resource, field, id, { factor_id, reason });
          }
          if (what === "remove") await removeRecord(context, resource, id);
          if (what === "revoke") await revokeRecord(context, resource, id);
          assert.deepEqual(
            notices.map(({ kind }) => kind),
            tells === "nothing" ? [] : tells,
          );
          assert.ok(notices.every(({ user_id }) => user_id === user.id));
        });
      }
    }
  }

  const aRecord = {
    users: async (_: unknown, { id }: User) => id,
    oauth_accounts: async (store: Parameters<typeof anOAuthAccount>[0], { id: user_id }: User) =>
      (await anOAuthAccount(store, { user_id })).id,
    api_keys: async (store: Parameters<typeof anApiKey>[0], { id: user_id }: User) =>
      (await anApiKey(store, { user_id })).id,
  };
  const created = ({ id: user_id }: User): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
    users: { email: "new@example.com", name: "New" },
    oauth_accounts: { user_id, provider: "github", provider_user_id: "42", access_token: "t" },
    api_keys: { user_id, name: "CI", scopes: ["postern:users:read"] },
  });
  const changed: Readonly<Record<string, unknown>> = {
    password: "an entirely new password",
    email: "eve@example.com",
    name: "Another",
    scopes: ["postern:apps:read"],
    expires_at: later(86_400).toISOString(),
  };
});

/** Returns a platform administrator who deletes a record through the management API, in Chinese. */
async function anAdministrator(it: Setting) {
  const browser = testBrowser(it.app);
  await signInAs(browser, await aPerson(it, { is_platform_admin: true }));
  const headers = { "sec-fetch-site": "same-origin", cookie: cookieOf(browser), "accept-language": "zh" };
  return async (path: string) => {
    const answer = await it.app.inject({ method: "DELETE", url: `/api/v1/${path}`, headers });
    assert.equal(answer.statusCode, 204, answer.body);
    return (await it.mails())[0];
  };
}

describe("SS-8: a mail about a change of sign-in methods", () => {
  test("the mail states action, time, device and address, and what to do if it was another person", async () => {
    const it = await aPersonAt({ days: 0 });
    const linked = await anOAuthAccount(it.store, { user_id: it.user.id, provider: "github" });
    const requested = `/account/linked-accounts/${linked.id}/unlink`;
    const csrf_token = hiddenField(await it.browser.get(requested), "csrf_token");
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const answer = await it.browser.post(requested, { csrf_token }, { "user-agent": firefox });
    assert.equal(answer.statusCode, 303);
    const [mail, ...others] = await it.mails();
    assert.deepEqual([mail?.to, others], ["ada@example.com", []]);
    assert.equal(mail?.subject, "A linked account was removed at id.example");
    const link = await it.linkTo("/not-me");
    assert.equal((await testBrowser(it.app).get(link)).statusCode, 200);
    assert.equal(
      mail?.text,
      [
        "Hello,",
        "An account at “github” was unlinked from your account at id.example on 1 Jan 2030, 00:00 UTC.",
        "Device: Firefox on Linux. Address: 127.0.0.1.",
        "If this was you, you don't need to do anything.",
        "If this was not you, secure your account now:",
        `https://id.example${link}\n`,
      ].join("\n\n"),
    );
    assert.ok(mail?.html.includes(`<a href="https://id.example${link}">It was not me</a>`));
    const page = await testBrowser(it.app).get("/secure-account");
    assert.equal(page.statusCode, 200);
    const ways = /"\/forgot-password"[\s\S]*"\/account\/sessions"[\s\S]*"\/account\/security"/;
    assert.match(page.body, ways);
  });

  test("the mail about an administrator's change contains neither their device nor their address", async () => {
    const it = await aPersonAt();
    const remove = await anAdministrator(it);
    const mail = await remove(`users/${it.user.id}`);
    assert.equal(mail?.subject, "Your account at id.example was deleted");
    assert.equal(mail?.to, "ada@example.com");
    assert.doesNotMatch(mail?.text ?? "", /127\.0\.0\.1|Device|http/);
  });

  test("the mail about an administrator's change is in the language of the user's last sign-in", async () => {
    const it = await aPersonAt({ days: 0 });
    const remove = await anAdministrator(it);
    const unlink = async () => {
      const { id } = await anOAuthAccount(it.store, { user_id: it.user.id, provider: "github" });
      return (await remove(`linked-accounts/${id}`))?.subject;
    };
    const hers = async () => (await it.store.find("users", { id: it.user.id }))?.language;
    assert.equal(await hers(), null);
    assert.equal(await unlink(), "A linked account was removed at id.example");
    const spanish = testBrowser(it.app);
    spanish.cookies.set("postern_language", "es");
    await it.enter(spanish);
    assert.equal(await hers(), "es");
    assert.equal(await unlink(), "Se quitó una cuenta vinculada en id.example");
    const last = await remove(`users/${it.user.id}`);
    assert.equal(last?.subject, "Tu cuenta en id.example está eliminada");
  });

  test("the mail contains no name that a mail program would turn into a link, and no secret", async () => {
    const it = await aPersonAt({ days: 0 });
    const input = { name: "https://evil.example click", lifetime: "90", scope: "postern:users:read" };
    const made = await submit(it.browser, "/account/api-keys/new", undefined, input);
    const key = /pak_[\w-]+/.exec(made.body)?.[0] ?? assert.fail(made.body);
    const [mail] = await it.mails();
    assert.match(mail?.subject ?? "", /An API key was created/);
    assert.doesNotMatch(mail?.text ?? "", /https:\/\/evil/);
    for (const secret of [key, password]) assert.ok(!mail?.text.includes(secret));
  });

  test("every kind of such mail has a text, and every kind is sent by some operation", () => {
    const reported = [
      ...Object.values(routesOfPeople),
      timedNotices,
      ...Object.values(operations).flatMap((verbs) => (verbs === "nothing" ? [] : Object.values(verbs))),
    ].flatMap((tells) => (tells === "nothing" ? [] : tells));
    assert.deepEqual(
      noticeKinds.filter((kind) => !reported.includes(kind)),
      [],
    );
  });
});
