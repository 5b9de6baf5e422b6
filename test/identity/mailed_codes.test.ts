/** Codes that people copy from a mail: each purpose counts, looks and spends alike. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { IdentityContext } from "../../src/identity/context.ts";
import { newFormCookie } from "../../src/identity/form_tokens.ts";
import { beginHalfSignIn, findHalfSignIn } from "../../src/identity/half_sign_in.ts";
import {
  type CodePurpose,
  isCodeWaiting,
  keepMailedCode,
  tryMailedCode,
} from "../../src/identity/proofs/mailed_codes.ts";
import { spendProof } from "../../src/identity/proofs/proofs.ts";
import { purposes } from "../../src/identity/proofs/purposes.ts";
import { makeLostFactorsCode, proveLostFactorsCode } from "../../src/identity/recovery/lost_factors_code.ts";
import { newMailboxCode } from "../../src/identity/second_factors/mailbox_code.ts";
import { startSession } from "../../src/identity/sessions.ts";
import type { SignedIn } from "../../src/records/request_origin.ts";
import type { SignInMethod } from "../../src/records/sign_in_methods.ts";
import { testServer } from "../support/authorization_server.ts";
import { aUser, byPassword, start } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";

const codePurposes = {
  mailbox_code: true,
  sudo_mailbox: true,
  recovery_mailbox: true,
  registration_code: true,
  provider_mailbox: true,
  lost_factors: true,
} satisfies Record<CodePurpose, true>;

test("L-10: one module alone makes and reads mailed codes", () => {
  const src = join(import.meta.dirname, "../../src");
  const readers = globSync("**/*.ts", { cwd: src }).filter((file) =>
    /from "[^"]*\/mail_codes\.ts"/.test(readFileSync(join(src, file), "utf8")),
  );
  assert.deepEqual(readers, [join("identity", "proofs", "mailed_codes.ts")]);
});

describeInForm("mailed codes", (database) => {
  test("L-10: of each purpose a code has five tries, counted before they are looked at, and is good once", async () => {
    const { server, clock } = await testServer(await database.open());
    const { store, memory, passwords, sealer, now } = server;
    const context: IdentityContext = {
      ...{ store, memory, passwords, sealer, now },
      report() {},
      throttle: true,
    };
    const user = await aUser(store);
    for (const name of Object.keys(codePurposes)) {
      const purpose = name as "mailbox_code";
      const bound = Object.fromEntries(purposes[purpose].bound_to.map((bond) => [bond, `a ${bond}`]));
      const where = { place: "a place", bonds: bound as { session: string } };
      const make = () => keepMailedCode(purpose, { ...where, user, data: {} }, context);
      const attempt = (text: string) => tryMailedCode(purpose, { ...where, text }, context);
      const waits = () => isCodeWaiting(purpose, where, context);
      const wrong = (text: string) => (text.startsWith("0000") ? "1111 1111" : "0000 0000");

      assert.equal((await attempt("1234 5678")).type, "ended", `${name}: none was made`);
      const tried = await make();
      for (let turn = 1; turn <= 5; turn++) {
        assert.equal(await waits(), true, name);
        const outcome = await attempt(wrong(tried));
        assert.ok(outcome.type === "wrong" && outcome.last === (turn === 5), `${name}: try ${turn}`);
      }
      assert.equal((await attempt(tried)).type, "ended", `${name}: five tries`);
      assert.equal(await waits(), false, name);

      const code = await make();
      assert.match(code, /^\d{4} \d{4}$/);
      const parallel = await Promise.all(Array.from({ length: 4 }, () => attempt(code)));
      const right = parallel.filter(({ type }) => type === "right");
      assert.ok(right.length >= 1, `${name}: the code is right`);
      const spent = [];
      for (const each of right) {
        assert.ok(each.type === "right");
        spent.push(await spendProof(store, each.proof));
      }
      assert.deepEqual(spent.filter(Boolean), [true], `${name}: it is good once`);
      assert.equal((await attempt(code)).type, "ended", name);

      const typed = await make();
      assert.equal((await attempt(` ${typed.replace(" ", "-")} `)).type, "right", `${name}: blanks`);
      const others = await tryMailedCode(purpose, { ...where, text: typed, user_id: "another" }, context);
      assert.equal(others.type, "ended", `${name}: of another user`);
      const nothing = { ...where, text: typed, opens: () => false };
      assert.equal((await tryMailedCode(purpose, nothing, context)).type, "wrong", `${name}: opens nothing`);
      clock.advance(purposes[purpose].minutes * 60);
      assert.equal((await attempt(typed)).type, "ended", `${name}: too old`);
    }
  });

  test("P-5: codes before a first factor are counted as other mails are: by source, by account, or not at all", async () => {
    const { server } = await testServer(await database.open());
    const { store, memory, passwords, sealer, now } = server;
    const context: IdentityContext = {
      ...{ store, memory, passwords, sealer, now },
      report() {},
      throttle: true,
    };
    const origin = { client_ip: "192.0.2.1", user_agent: null, request_id: "r" };
    const someone = async () => {
      const user = await aUser(store);
      return { user, ...(await startSession({ user, methods: byPassword(), origin }, context)) };
    };
    const first = await someone();
    const ask = (signedIn: SignedIn, within = context) => newMailboxCode(signedIn, origin, within);
    for (let turn = 1; turn <= 5; turn++) assert.ok(await ask(first));
    assert.equal(await ask(first), undefined);
    for (let turn = 7; turn <= 20; turn++) assert.ok(await ask(await someone()));
    assert.equal(await ask(await someone()), undefined, "one source");
    assert.ok(await ask(first, { ...context, throttle: false }));
  });

  test("L-10, MF-10: the code in place of lost factors has five tries as well, and is spent with the session", async () => {
    const { server } = await testServer(await database.open());
    const { store, memory, passwords, sealer, now } = server;
    const context: IdentityContext = {
      ...{ store, memory, passwords, sealer, now },
      report() {},
      throttle: true,
    };
    const user = await aUser(store);
    const browser = newFormCookie(context);
    const begin = async (methods: readonly SignInMethod[]) => {
      await beginHalfSignIn({ user, methods, browser, request: "/account" }, context);
      const half = (await findHalfSignIn(browser, context)) ?? assert.fail("no half sign-in");
      const made = await makeLostFactorsCode(half, { client_ip: null }, context);
      return { half, code: made.type === "made" ? made.code : assert.fail(made.type) };
    };
    const first = await begin(byPassword(start));
    const prove = (text: string) => proveLostFactorsCode(first.half, text, context);
    const wrong = first.code.startsWith("0000") ? "1111 1111" : "0000 0000";
    for (let turn = 1; turn <= 5; turn++) assert.equal((await prove(wrong)).type, "wrong");
    assert.equal((await prove(first.code)).type, "expired");

    const second = await begin(byPassword(new Date(start.getTime() + 1)));
    const proved = await proveLostFactorsCode(second.half, second.code, context);
    assert.ok(proved.type === "proved" && proved.spend !== undefined);
    assert.equal(await store.transaction(proved.spend), true);
    assert.equal(await store.transaction(proved.spend), false);
    assert.equal((await proveLostFactorsCode(second.half, second.code, context)).type, "expired");
  });
});
