/** Invitations, settings, counts and password reset mails through the management API. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { Mail } from "../../../src/records/names/notices.ts";
import { aMembership, anApp, anOrganization, aUser } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { until } from "../../support/until.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

for (const database of databasesInForm)
  describe(`server operations on ${database.name}`, () => {
    let it: ApiServer;
    let sent: Mail[];
    before(async () => {
      it = await apiServer(database, {
        version: "1.2.3",
        brand: { name: "Acme" },
        mail: {
          post: (make) => void make().then((mail) => mail && sent.push(mail)),
          async flushOutbox() {},
        },
      });
    });
    beforeEach(() => {
      sent = [];
    });

    const call = (method: "GET" | "POST", url: string, body?: object, key = it.key) =>
      it.app.inject({
        method,
        url: `/api/v1${url}`,
        headers: { ...bearer(key), ...(body && { "content-type": "application/json" }) },
        ...(body && { payload: JSON.stringify(body) }),
      });

    test("H-35: a user can be invited, invited again and uninvited, and no response contains the link", async () => {
      const { id } = await anOrganization(it.store);
      const path = `/organizations/${id}/invitations`;
      const made = await call("POST", path, { email: "new@example.com", role: "developer" });
      assert.equal(made.statusCode, 201, made.body);
      assert.deepEqual((await call("GET", path)).json().data, [made.json()]);
      const again = await call("POST", `${path}/${made.json().id}/send-again`);
      assert.equal(again.statusCode, 200);
      assert.notEqual(again.json().id, made.json().id);
      assert.deepEqual(
        (await call("GET", path)).json().data.map(({ email }: { email: string }) => email),
        ["new@example.com"],
      );
      assert.equal((await call("POST", `${path}/${made.json().id}/send-again`)).statusCode, 404);
      await until(() => sent.length > 1, "both mails");
      const links = sent.map(({ text }) => /token=(\S+)/.exec(text)?.[1] ?? "");
      assert.equal(new Set(links).size, 2);
      for (const { body } of [made, again]) assert.ok(links.every((link) => !body.includes(link)));
      assert.equal((await call("POST", `${path}/${again.json().id}/revoke`)).statusCode, 204);
      assert.deepEqual((await call("GET", path)).json(), {
        data: [],
        next_cursor: null,
        previous_cursor: null,
      });
      const elsewhere = { email: "a@example.com", role: "member", organization_id: id };
      assert.equal((await call("POST", path, elsewhere)).json().errors[0].path, "/organization_id");
    });

    test("H-35: open invitations are listed only for a credential that may read memberships and invite", async () => {
      const organization = await anOrganization(it.store);
      const admin = await aUser(it.store);
      await aMembership(it.store, { user_id: admin.id, organization_id: organization.id, role: "admin" });
      const statuses: number[] = [];
      for (const scopes of [["write"], ["read"], ["read", "write"]]) {
        const { key } = await anApiKeyText(it, {
          user_id: admin.id,
          scopes: scopes.map((each) => `postern:memberships:${each}`),
        });
        statuses.push(
          (await call("GET", `/organizations/${organization.id}/invitations`, undefined, key)).statusCode,
        );
      }
      assert.deepEqual(statuses, [403, 403, 200]);
    });

    test("H-35: an administrator may have a password link mailed, and the audit log names the administrator", async () => {
      const user = await aUser(it.store, { email: "lost@example.com", email_key: "lost@example.com" });
      const answer = await call("POST", `/users/${user.id}/send-password-reset`);
      assert.deepEqual([answer.statusCode, answer.json().user_id], [202, user.id], answer.body);
      await until(() => sent.length > 0, "the mail with the link");
      const [mail] = sent;
      assert.equal(mail?.to, user.email);
      const token = /token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
      assert.ok(token.length > 20 && !answer.body.includes(token));
      const event = it.events.find(({ type }) => type === "password_reset_request");
      assert.deepEqual([event?.actor.id, event?.target?.id], [it.administrator.id, user.id]);
      const organization = await anOrganization(it.store);
      const member = await aMembership(it.store, {
        organization_id: organization.id,
        user_id: user.id,
        role: "admin",
      });
      const { key } = await anApiKeyText(it, { user_id: member.user_id, scopes: ["postern:manage"] });
      assert.equal(
        (await call("POST", `/users/${user.id}/send-password-reset`, undefined, key)).statusCode,
        403,
      );
      const mailless = await apiServer(database);
      const url = `/api/v1/users/${mailless.administrator.id}/send-password-reset`;
      const off = await mailless.app.inject({ method: "POST", url, headers: bearer(mailless.key) });
      assert.equal(off.json().code, "mail_off");
    });

    test("H-35: password links requested by an operator are limited for each recipient, not for each source", async () => {
      const send = async ({ id }: { id: string }) =>
        (await call("POST", `/users/${id}/send-password-reset`)).statusCode;
      const first = await aUser(it.store);
      for (let times = 0; times < 5; times += 1) assert.equal(await send(first), 202);
      assert.equal(await send(first), 429);
      for (let people = 0; people < 30; people += 1) assert.equal(await send(await aUser(it.store)), 202);
    });

    test("H-35: the settings are returned without any secret, however the server was started", async () => {
      const secret = "a secret of the settings";
      const started = { ...it.server.settings, secret_keys: [secret], mail: { smtp_url: secret } };
      const other = await apiServer(database, { server: { ...it.server, settings: started } });
      const answer = await other.app.inject({ url: "/api/v1/server", headers: bearer(it.key) });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.ok(!answer.body.includes(secret));
      const reported = (await call("GET", "/server")).json();
      assert.deepEqual([reported.version, reported.brand.name, reported.sends_mail], ["1.2.3", "Acme", true]);
      assert.equal(reported.settings.authorization_code_ttl, it.server.settings.authorization_code_ttl);
    });

    test("H-35: counts cover the whole server or one organization, as the credential permits", async () => {
      const organization = await anOrganization(it.store);
      const app = await anApp(it.store, { organization_id: organization.id });
      it.store.increment("tokens_code", [app.id, organization.id], it.clock.now(), 5);
      await it.store.flushCounts();
      const whole = (await call("GET", "/statistics?period=week")).json();
      assert.deepEqual([whole.period, whole.organization_id, whole.moments.length], ["week", null, 28]);
      assert.ok(whole.counts.sign_ins);
      assert.deepEqual(
        whole.apps.map(({ id }: { id: string }) => id),
        [app.id],
      );
      const narrow = await anApiKeyText(it, {
        user_id: it.administrator.id,
        scopes: ["postern:tokens:read"],
      });
      const one = (
        await call("GET", `/organizations/${organization.id}/statistics`, undefined, narrow.key)
      ).json();
      assert.equal(one.organization_id, organization.id);
      assert.deepEqual(one.apps, [], "names of apps take the permission to read apps");
      assert.deepEqual(Object.keys(one.counts).sort(), ["tokens_code", "tokens_machine", "tokens_refresh"]);
      const member = await aMembership(it.store, { organization_id: organization.id, role: "member" });
      const { key } = await anApiKeyText(it, { user_id: member.user_id, scopes: ["postern:manage"] });
      assert.equal((await call("GET", "/statistics", undefined, key)).statusCode, 403);
      assert.equal((await call("GET", "/statistics?period=year&x=1")).json().errors.length, 2);
      assert.equal((await call("GET", `/organizations/${it.administrator.id}/statistics`)).statusCode, 404);
    });

    test("the inspection explains a token or API key to callers who may read it, and hides it from others", async () => {
      const ask = async (body: object, key = it.key) => call("POST", "/introspect", body, key);
      const theirs = await anApiKeyText(it, { user_id: it.administrator.id, scopes: ["postern:read"] });
      const reported = (await ask({ token: theirs.key })).json();
      assert.deepEqual([reported.active, reported.token_type], [true, "api_key"]);
      const member = await aMembership(it.store, { role: "admin" });
      const other = await anApiKeyText(it, { user_id: member.user_id, scopes: ["postern:read"] });
      const unknown = { active: false, reason: "this server does not recognize the API key" };
      assert.deepEqual((await ask({ token: theirs.key }, other.key)).json(), unknown);
      assert.equal((await ask({ token: other.key }, other.key)).json().active, true);
      // Callers who may read users see the email address of the key's owner.
      assert.equal(reported.username, it.administrator.email);
      const keysAlone = await anApiKeyText(it, {
        user_id: it.administrator.id,
        scopes: ["postern:tokens:read", "postern:api_keys:read"],
      });
      const unnamed = (await ask({ token: theirs.key }, keysAlone.key)).json();
      assert.deepEqual([unnamed.active, unnamed.username], [true, undefined]);
      const narrow = await anApiKeyText(it, {
        user_id: it.administrator.id,
        scopes: ["postern:tokens:read"],
      });
      assert.deepEqual((await ask({ token: theirs.key }, narrow.key)).json(), unknown);
      const none = await anApiKeyText(it, { user_id: it.administrator.id, scopes: ["postern:users:read"] });
      assert.equal((await ask({ token: theirs.key }, none.key)).statusCode, 403);
      for (const body of [
        {},
        { token: "" },
        { token: 1 },
        { token: "x".repeat(20_000) },
        { token: "x", hint: "y" },
      ])
        assert.equal((await ask(body)).statusCode, 422, JSON.stringify(body).slice(0, 40));
    });
  });
