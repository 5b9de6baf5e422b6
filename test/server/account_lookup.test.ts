/** Users of an old system without password hashes, who are imported at their sign-in (MG-9). */
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, test } from "node:test";
import { importPerson } from "../../src/admin/imports/import_people.ts";
import { isArgon2id } from "../../src/crypto/passwords.ts";
import { webhookHeaders } from "../../src/crypto/standard_webhooks.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import { type AccountLookupParts, accountLookup, mostLookups } from "../../src/server/account_lookup.ts";
import { certificate, loopbackServer } from "../outbound/tls_server.ts";
import { aPersonAt, submit } from "../support/account.ts";
import { until } from "../support/until.ts";
import { withoutConversions } from "../support/without_conversions.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };
const email = "bea@example.com";
const password = "her password there";
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const right = { found: true, password: "right", user: { external_id: "old-1", email, name: "Bea" } };

interface Call {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Reply = (response: ServerResponse, call: Call) => void;

const json =
  (value: unknown, status = 200): Reply =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

/** The answer of an old system that knows one user. */
const honest: Reply = (response, { body }) => {
  const { data } = JSON.parse(body);
  if (data.email !== email) return json({ found: false })(response, { headers: {}, body });
  const verdict = data.password === undefined ? "unknown" : data.password === password ? "right" : "wrong";
  return json({ ...right, password: verdict })(response, { headers: {}, body });
};

async function setUp(
  more: Partial<AccountLookupParts["settings"]> & { reply?: Reply; host?: string; throttle?: boolean } = {},
) {
  const { reply: first = honest, host = "hook.outbound.test", throttle = false, ...settings } = more;
  const calls: Call[] = [];
  const hook = { reply: first };
  const listener = await loopbackServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const call = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      calls.push(call);
      hook.reply(response, call);
    });
  });
  const it = await aPersonAt({ throttle });
  const warned: string[] = [];
  const { store, server } = it;
  const outbound = createOutbound({
    ca: certificate,
    allow: ["127.0.0.0/8"],
    most_at_once: mostLookups,
    resolve: async () => ["127.0.0.1"],
  });
  const { passwords, sealer, now, issuer } = server;
  const account_lookup = accountLookup({
    settings: {
      ...{ url: `https://${host}:${listener.port}/`, secret, until: new Date(8.64e15), send_password: true },
      ...{ answer_time: 60_000, source: "old", ...settings },
    },
    outbound,
    admin: { store, passwords, sealer, now, issuer, switches: {} },
    log: { warn: (fields, message) => warned.push(`${message} ${JSON.stringify(fields)}`) },
  });
  Object.assign(it.identity, { account_lookup });
  const enter = (typed = password, to = email) => signIn({ email: to, password: typed, origin }, it.identity);
  /** Returns the answer of the look-up alone, without the limit on its time. */
  const ask = (typed = password, to = email) =>
    account_lookup.byPassword({ email: to, password: typed, user: undefined, source: "", within: 60_000 });
  const found = () => store.find("users", { email_key: email });
  return {
    ...it,
    hook,
    calls,
    account_lookup,
    ask,
    enter,
    found,
    warned,
    [Symbol.asyncDispose]: listener.close,
  };
}

const unknown = { type: "refused", reason: "unknown_user" };

describe("the account look-up in an old system", () => {
  test("MG-9: a correct password creates the account, which then no longer needs the old system", async () => {
    await using it = await setUp();
    assert.equal(await it.ask("another"), false);
    assert.equal(await it.found(), undefined);
    assert.equal((await it.enter()).type, "signed_in");
    const user = await it.found();
    assert.equal(user?.name, "Bea");
    assert.ok(isArgon2id(String(user?.password_hash)));
    const [imported] = await it.store.list("imported_people", { user_id: user?.id ?? "" });
    assert.deepEqual([imported?.source, imported?.external_id], ["old", "old-1"]);
    const [event] = await it.store.list("audit_events", { type: "user.imported" });
    assert.deepEqual([event?.actor_id, event?.target_id], ["account lookup", user?.id]);
    assert.ok(!JSON.stringify(event).includes(password));
    const asked = it.calls.length;
    assert.equal((await it.enter()).type, "signed_in");
    assert.equal(it.calls.length, asked);
  });

  test("MG-9: a request is signed by Standard Webhooks, and contains the password only if the settings allow it", async () => {
    // The example of the specification.
    const example = {
      ...{ id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: new Date(1614265330000) },
      body: '{"test": 2432232314}',
    };
    assert.equal(
      webhookHeaders(example, secret)["webhook-signature"],
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
    await using it = await setUp();
    await it.ask("another");
    const [{ headers, body } = assert.fail("it was not asked")] = it.calls;
    const id = String(headers["webhook-id"]);
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    assert.deepEqual([at, webhookHeaders({ id, at, body }, secret)["webhook-signature"]], [
      it.clock.now(),
      headers["webhook-signature"],
    ] as const);
    const { type, data } = JSON.parse(body);
    assert.deepEqual([type, data], ["account_lookup", { email, reason: "sign_in", password: "another" }]);

    await using silent = await setUp({ send_password: false });
    assert.deepEqual(await silent.enter(), unknown);
    assert.deepEqual(silent.calls, []);
  });

  test("MG-9: every response except a correct password looks like a wrong password and changes nothing", async () => {
    await using it = await setUp();
    const before = await it.store.count("users");
    const flood: Reply = (response) => {
      response.writeHead(200);
      response.on("error", () => {});
      const more = () => {
        while (response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    };
    const { user } = right;
    await importPerson(
      {
        ...{ store: it.store, passwords: it.server.passwords, now: it.clock.now, switches: {} },
        actor: { kind: "system", label: "test" },
      },
      {
        external_id: "old-2",
        email: "cleo@example.com",
        password: { argon2id: await it.server.passwords.hash("x") },
      },
      { source: "old" },
    );
    const replies: Record<string, Reply> = {
      hangs: () => {},
      floods: flood,
      "hangs up": (response) => response.destroy(),
      redirects: (response) => response.writeHead(302, { location: "https://127.0.0.1/" }).end(),
      "is down": json(right, 503),
      "says 404": json(right, 404),
      "says 201": json(right, 201),
      "speaks no JSON": (response) => response.writeHead(200).end("right"),
      "says a list": json([right]),
      "says null": json(null),
      "says wrong": json({ ...right, password: "wrong" }),
      "says yes": json({ ...right, password: true }),
      "says nothing of the password": json({ found: true, user }),
      "found none": json({ ...right, found: "yes" }),
      "names another person": json({ ...right, user: { ...user, email: "ada@example.com" } }),
      "names a known person": json({ ...right, user: { ...user, external_id: "old-2" } }),
      "takes an id": json({ ...right, user: { ...user, id: it.user.id } }),
      "has no identifier": json({ ...right, user: { email } }),
      ...Object.fromEntries(
        withoutConversions.flatMap((value, index) => [
          ...["found", "password", "user"].map((name) => [
            `${name} ${index}`,
            json({ ...right, [name]: value }),
          ]),
          ...["email", "external_id", "id", "created_at", "email_verified_at"].map((name) => [
            `user.${name} ${index}`,
            json({ ...right, user: { ...user, [name]: value } }),
          ]),
        ]),
      ),
      "has a prototype": (response) =>
        response.end(
          '{"found":true,"password":"right","__proto__":{"external_id":"1"},"user":{"__proto__":null}}',
        ),
    };
    for (const [what, reply] of Object.entries(replies)) {
      it.hook.reply = reply;
      // This is longer than the pause after a failure of the hook.
      it.clock.advance(31);
      const asked = it.calls.length;
      assert.equal(await it.ask(), false, what);
      assert.equal(it.calls.length, asked + 1, what);
    }
    assert.equal(await it.store.count("users"), before + 1);
    assert.equal((await it.store.list("users", { name: "Bea" })).length, 0);
    assert.ok(!it.warned.join().includes(email) && !it.warned.join().includes(password));
  });

  test("MG-9: the old system can neither appoint administrators nor add users to organizations", async () => {
    await using it = await setUp();
    const more = {
      ...{
        is_platform_admin: true,
        memberships: [{ organization: "acme", role: "owner" }],
        roles: ["admin"],
      },
      ...{ linked_accounts: [{ provider: "google", provider_user_id: "1" }], password: "plain" },
    };
    it.hook.reply = json({ ...right, user: { ...right.user, ...more } });
    assert.equal((await it.enter()).type, "signed_in");
    const user = await it.found();
    assert.equal(user?.is_platform_admin, false);
    for (const table of ["memberships", "oauth_accounts"] as const)
      assert.equal(await it.store.count(table, { user_id: user?.id ?? "" }), 0);
  });

  test("MG-9: an old system at a private address is not contacted unless the operator allows it", async () => {
    await using it = await setUp();
    const outbound = createOutbound({ ca: certificate, resolve: async () => ["127.0.0.1"] });
    const { store, server } = it;
    const { passwords, sealer, now, issuer } = server;
    const lookup = accountLookup({
      settings: {
        ...{ url: "https://hook.outbound.test/", secret, until: new Date(8.64e15), send_password: true },
        ...{ answer_time: 400, source: "old" },
      },
      outbound,
      admin: { store, passwords, sealer, now, issuer, switches: {} },
      log: { warn() {} },
    });
    const typed = { email, password, user: undefined, source: "192.0.2.1", within: 5000 };
    assert.equal(await lookup.byPassword(typed), false);
    assert.deepEqual(it.calls, []);
  });

  test("MG-9: known and unknown addresses are answered after the same time, even if the old system hangs", async () => {
    await using it = await setUp({ reply: () => {}, answer_time: 80 });
    for (const [typed, to] of [
      ["wrong", "ada@example.com"],
      ["wrong", email],
      ["", ""],
    ] as const) {
      const started = performance.now();
      assert.equal((await it.enter(typed, to)).type, "refused");
      assert.ok(performance.now() - started >= 75, to);
    }
    // Only the unknown address was looked up, and its request is still open.
    assert.equal(it.calls.length, 1);
  });

  test("MG-9: a response that comes too late still creates the account, so that the next sign-in succeeds", async () => {
    const release = Promise.withResolvers<void>();
    await using it = await setUp({
      reply: (response, call) => void release.promise.then(() => honest(response, call)),
      answer_time: 20,
    });
    assert.deepEqual(await it.enter(), unknown);
    await until(() => it.calls.length === 1);
    release.resolve();
    await until(async () => (await it.found()) !== undefined);
    assert.equal((await it.enter()).type, "signed_in");
    assert.equal(it.calls.length, 1);
  });

  test("MG-9: the old system is asked after throttling and until its end date, and not for a while after five failures", async () => {
    await using it = await setUp({ throttle: true });
    it.hook.reply = json({}, 500);
    for (let index = 0; index < 7; index += 1) await it.ask(password, `other${index}@example.com`);
    assert.equal(it.calls.length, 5);
    assert.equal(it.warned.length, 1);
    it.hook.reply = honest;
    it.clock.advance(31);
    assert.equal((await it.enter()).type, "signed_in");

    let asked = 0;
    const byPassword = async () => {
      asked += 1;
      return false;
    };
    const answerTime = () => 30;
    Object.assign(it.identity, { account_lookup: { ...it.account_lookup, answerTime, byPassword } });
    let before = 0;
    for (let type = "refused"; type === "refused"; ) {
      before = asked;
      ({ type } = await it.enter("wrong", "dora@example.com"));
    }
    assert.equal((await it.enter("wrong", "dora@example.com")).type, "throttled");
    assert.ok(before > 0);
    assert.equal(asked, before);

    await using over = await setUp({ until: new Date(0) });
    assert.deepEqual(await over.enter(), unknown);
    assert.deepEqual(over.calls, []);
  });

  test("H-24, MG-9: a pause that began while the clock was ahead ends once the clock is corrected", async () => {
    await using it = await setUp();
    it.clock.advance(3600);
    it.hook.reply = json({}, 500);
    for (let index = 0; index < 5; index += 1) await it.ask(password, `other${index}@example.com`);
    it.clock.advance(-3600);
    it.hook.reply = honest;
    assert.equal((await it.enter()).type, "signed_in");
  });

  test("MG-9: only users imported without a password are looked up, until they sign in here", async () => {
    await using it = await setUp();
    const { store, server, clock } = it;
    const admin = {
      ...{ store, passwords: server.passwords, sealer: server.sealer, now: clock.now, switches: {} },
      actor: { kind: "system", label: "test" } as const,
    };
    const add = (external_id: string, source: string) =>
      importPerson(admin, { external_id, email }, { source });
    await add("old-1", "elsewhere");
    const user = await it.found();
    assert.ok(user);
    const ask = async () => {
      const waiting = await it.found();
      const typed = { email, password, source: "", within: 60_000 };
      return it.account_lookup.byPassword({ ...typed, user: waiting });
    };
    assert.equal(await ask(), false);
    assert.deepEqual(it.calls, []);
    await store.insert("imported_people", {
      ...{ id: store.newId(clock.now()), user_id: user.id, source: "old", external_id: "old-1" },
      created_at: clock.now(),
    });
    it.hook.reply = json({ ...right, user: { external_id: "another" } });
    assert.equal(await ask(), false);
    await store.update("users", { id: user.id }, { is_platform_admin: true });
    it.hook.reply = honest;
    assert.equal(await ask(), false);
    await store.update("users", { id: user.id }, { is_platform_admin: false });
    assert.equal((await it.enter()).type, "signed_in");
    assert.equal((await it.found())?.id, user.id);
    assert.equal(await ask(), false);
    assert.equal(it.calls.length, 2);
  });

  test("MG-9: a password reset looks up the address without a password, creates the account and mails the link", async () => {
    await using it = await setUp({ send_password: false });
    const asked = async (address: string) => {
      const { statusCode } = await submit(it.browser, "/forgot-password", "/forgot-password", {
        email: address,
      });
      assert.equal(statusCode, 303);
    };
    await asked(email);
    await until(async () => (await it.mails(email)).length === 1);
    const { data } = JSON.parse(it.calls[0]?.body ?? "{}");
    assert.deepEqual(data, { email, reason: "password_reset" });
    const user = await it.found();
    assert.deepEqual([user?.password_hash, user?.email_verified_at], [null, null]);
    await asked("ada@example.com");
    await until(async () => (await it.mails("ada@example.com")).length === 1);
    assert.equal(it.calls.length, 1);
    it.hook.reply = json({}, 500);
    await asked("dora@example.com");
    await until(() => it.calls.length === 2);
    await asked(email);
    await until(async () => (await it.mails(email)).length === 2);
    assert.equal(await it.store.count("users", { email_key: "dora@example.com" }), 0);
  });
});
