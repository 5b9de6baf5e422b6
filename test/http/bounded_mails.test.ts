/**
 * The server limits how many mails a user can cause to be sent to others, and what the user can write in them
 * (docs/decisions/abuse-limits.md).
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { HttpMetrics } from "../../src/http/context.ts";
import { addressInMail, nameInMail } from "../../src/people/core/mail_text.view.ts";
import type { Organization } from "../../src/records/definition/definition.ts";
import { wordsOf } from "../../src/web/words/words.ts";
import { forgetSession, submit, testMail } from "../support/account.ts";
import { aPerson, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { aMembership, anOrganization } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { everyMail } from "../web/every_mail.ts";
import { anApiKeyText, apiServer, bearer } from "./api/server.ts";

async function setUp(name = "Acme") {
  const mail = testMail();
  const counted: (string | undefined)[] = [];
  const metrics: HttpMetrics = {
    count(name: string, labels: { readonly kind?: string; readonly error?: string }) {
      if (name === "postern_mails_refused_total") counted.push(labels.kind);
    },
    observe() {},
  };
  const it = await testApp({ mail: mail.outbox, metrics });
  async function inviterOf({ id: organization_id }: Organization): Promise<TestBrowser> {
    const inviter = await aPerson(it);
    await aMembership(it.store, { user_id: inviter.id, organization_id, role: "owner" });
    const browser = testBrowser(it.app);
    await signInAs(browser, inviter);
    return browser;
  }
  const invite = (browser: TestBrowser, { id }: Organization, email: string) =>
    submit(browser, `/console/organizations/${id}/invite`, undefined, { email, role: "member" });
  const acme = await anOrganization(it.store, { name });
  return { ...it, ...mail, counted, acme, inviterOf, invite };
}

describe("limits on invitation mails", () => {
  test("P-5: an address gets at most three invitation mails a day, from all organizations together (security finding 12)", async () => {
    const it = await setUp();
    const member = await aPerson(it, { email: "member@example.com" });
    const other = await anOrganization(it.store, { name: "Other" });
    const here = await it.inviterOf(it.acme);
    const there = await it.inviterOf(other);
    for (const email of [member.email, "nobody@example.com"]) {
      const rounds = [
        [here, it.acme],
        [there, other],
        [here, it.acme],
      ] as const;
      for (const [browser, organization] of rounds) {
        assert.equal((await it.invite(browser, organization, email)).statusCode, 303);
      }
      const refused = await it.invite(there, other, email.toUpperCase());
      assert.equal(refused.statusCode, 429);
      assert.equal(refused.headers["retry-after"], "86400");
      assert.match(refused.body, /mails to this address/);
    }
    assert.equal((await it.mails()).length, 6);
    assert.deepEqual(it.counted, ["invitation", "invitation"]);
    it.clock.advance(86_400);
    const again = await it.inviterOf(other);
    assert.equal((await it.invite(again, other, member.email)).statusCode, 303);
  });

  for (const database of databasesInForm)
    test(`P-5: the API refuses a fourth invitation mail with 429 and Retry-After on ${database.name} (security finding 12)`, async () => {
      const { outbox, mails } = testMail();
      const it = await apiServer(database, { mail: outbox });
      const owner = await aPerson(it);
      const organization = await anOrganization(it.store);
      await aMembership(it.store, { user_id: owner.id, organization_id: organization.id, role: "owner" });
      const { key } = await anApiKeyText(it, { user_id: owner.id, scopes: ["postern:manage"] });
      const payload = { email: "grace@example.com", organization_id: organization.id, role: "member" };
      const ask = () =>
        it.app.inject({ method: "POST", url: "/api/v1/memberships", headers: bearer(key), payload });
      for (let times = 0; times < 3; times += 1) assert.equal((await ask()).statusCode, 202);
      const refused = await ask();
      assert.deepEqual([refused.statusCode, refused.json().code], [429, "throttled"]);
      assert.equal(refused.headers["retry-after"], "86400");
      assert.equal((await mails()).length, 3);
    });

  test("P-5: an organization sends at most three hundred invitation mails a day (security finding 12)", async () => {
    const it = await setUp();
    let invited = 0;
    let answer = 303;
    for (let inviter = 0; inviter < 4 && answer === 303; inviter += 1) {
      const browser = await it.inviterOf(it.acme);
      for (let mail = 0; mail < 100 && answer === 303; mail += 1) {
        // The limit on pending invitations must not apply first. Revoked invitations still count as mails.
        for (const { id } of await it.store.list("invitations")) await it.store.remove("invitations", { id });
        answer = (await it.invite(browser, it.acme, `guest${invited}@example.com`)).statusCode;
        if (answer === 303) invited += 1;
      }
    }
    assert.deepEqual([invited, answer], [300, 429]);
  });

  test("P-6: names in mails are shortened to one line without links (security finding 12)", async () => {
    const it = await setUp(`Your bank: http://evil.test/phish www.evil.test ${"a".repeat(200)}`);
    await it.invite(await it.inviterOf(it.acme), it.acme, "grace@example.com");
    const [mail] = await it.mails();
    const links = [
      ...`${mail?.subject} ${mail?.text} ${mail?.html}`.matchAll(/\w+:\/\/[^\s/"<]+|evil\.test\S*/gi),
    ];
    assert.deepEqual(new Set(links.map(([link]) => String(link))), new Set(["https://id.example"]));
    assert.ok((mail?.subject ?? "").length < 100, String(mail?.subject));
    for (const [name, shown] of [
      ["Acme", "Acme"],
      ["Ac\r\nBcc: x\u202eme\u200b", "Ac Bcc: x me"],
      ["www.evil.test", "www. evil. test"],
      ["evil.test/x and evil\u3002test", "evil. test/x and evil\u3002 test"],
      ["ev\u200bil.\u202etest", "ev il. test"],
      ["evil.\ufe0ftest evil.\u034ftest", "evil. \ufe0ftest evil. \u034ftest"],
      ["evil.ⓣest", "evil. ⓣest"],
      ["J. Doe Inc. 2.0", "J. Doe Inc. 2.0"],
      [":://// x", ": x"],
      ["//192.0.2.1/x", "192.0.2.1/x"],
      ["x".repeat(61), `${"x".repeat(59)}…`],
      ["😀".repeat(60), "😀".repeat(60)],
    ] as const) {
      assert.equal(nameInMail(name), shown);
    }
  });
});

describe("texts that a user chose, in mails", () => {
  const link = "https://id.example/7";

  /** Returns the mails with this text that contain another link than Postern's own. */
  function linkedBy(chosen: string): string[] {
    const locale = { words: wordsOf("en"), language: "en" as const, server_name: "id.example" };
    return Object.entries(everyMail(locale, chosen, link)).flatMap(([name, mails]) => {
      const parts = mails.flatMap(({ subject, text, html }) => [subject, text, html]);
      const bare = parts.join("\n").replaceAll(link, "").replaceAll("id.example", "");
      return /\/\/|[^\s>][.\u3002\uff0e\uff61]\p{L}/u.test(bare) ? [name] : [];
    });
  }

  test("P-6: no text that a user chose becomes a link in any mail", () => {
    for (const chosen of [
      "reset it at https://evil.example/unlock or www.evil.example",
      "//192.0.2.1/x",
      "www.evil.example/reset-password?x=@a.example",
      `${"a".repeat(50)}.evil.test@a.example`,
      "www.evil.example.@a.example",
    ])
      assert.deepEqual(linkedBy(chosen), [], chosen);
  });

  test("P-6: an inviter's usual email address is shown as it is", () => {
    for (const address of ["ada@example.com", "ada.b-c+d_e@mail.example.com", "ada@bücher.example"])
      assert.equal(addressInMail(address), address);
    assert.equal(addressInMail("x/y@a.co"), "x/y@a. co");
  });
});

describe("limits on password mails", () => {
  test("P-5: an address gets twenty password mails a day, and more if requested in its owner's browser (security finding 12)", async () => {
    const it = await setUp();
    const user = await aPerson(it, { email: "ada@example.com" });
    const [marked, stranger] = [testBrowser(it.app), testBrowser(it.app)];
    await signInAs(marked, user);
    forgetSession(marked);
    // Without a session, the server recognizes this browser only by the cookie that marks browsers.
    for (const { id } of await it.store.list("sessions")) await it.store.remove("sessions", { id });
    const ask = (browser: TestBrowser, email: string) =>
      submit(browser, "/forgot-password", undefined, { email });
    for (const email of [user.email, "nobody@example.com"]) {
      for (let mail = 0; mail < 20; mail += 1) {
        assert.equal((await ask(stranger, email)).statusCode, 303, String(mail));
        it.clock.advance(3 * 60);
      }
      it.clock.advance(15 * 60);
      const refused = await ask(stranger, email);
      assert.equal(refused.statusCode, 429);
      assert.ok(Number(refused.headers["retry-after"]) > 3600);
    }
    assert.deepEqual(it.counted, ["password_reset", "password_reset"]);
    assert.equal((await ask(marked, user.email)).statusCode, 303);
    assert.equal((await it.mails()).length, 21);
  });
});
