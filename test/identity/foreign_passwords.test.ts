import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { hashSync } from "bcryptjs";
import { createUser, deleteUser, updateUser } from "../../src/admin/records/users.ts";
import { isArgon2id } from "../../src/crypto/passwords.ts";
import { passwordAuthenticator } from "../../src/people/authenticators/password/password_authenticator.http.ts";
import { makeResetMail, resetPassword } from "../../src/people/authenticators/password/password_reset.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import { problem, testContext } from "../admin/context.ts";
import { testServer } from "../support/authorization_server.ts";
import { databasesInForm } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };
const password = "an example of a password";
const email = "ada@example.com";
const bcrypt = hashSync(password, 4);
const sha1Of = (text: string) => `{SHA}${createHash("sha1").update(text).digest("base64")}`;

for (const database of databasesInForm)
  describe(`imported password hashes, on ${database.name}`, () => {
    async function setUp(hash: string) {
      const it = await testServer(await database.open());
      const context = identityOn(it.server);
      const admin = { ...testContext(it.store), now: it.clock.now };
      const user = await createUser(admin, { email, name: "Ada", password: { hash } });
      const enter = (typed = password) => signIn({ email, password: typed, origin }, context);
      const found = async () => (await it.store.find("users", { id: user.id }))?.password_hash ?? null;
      const foreign = () => it.store.list("foreign_passwords", { user_id: user.id });
      return { ...it, context, admin, user, enter, found, foreign };
    }

    test("MG-4: the first sign-in with the correct password stores an Argon2id hash and deletes the imported one", async () => {
      const { enter, found, foreign, context } = await setUp(bcrypt);
      const [before] = await foreign();
      assert.deepEqual([before?.scheme, before?.hash], ["bcrypt", bcrypt]);
      assert.equal(await found(), `foreign:${before?.id}`);
      assert.equal((await enter("another password")).type, "refused");
      assert.deepEqual(await foreign(), [before]);
      assert.equal((await enter()).type, "signed_in");
      assert.deepEqual(await foreign(), []);
      const after = String(await found());
      assert.ok(isArgon2id(after) && !context.passwords.needsRehash(after));
      assert.equal((await enter()).type, "signed_in");
      assert.equal((await enter("another password")).type, "refused");
    });

    test("MG-4: two concurrent first sign-ins both succeed, and one hash is left", async () => {
      const { enter, found, foreign } = await setUp(bcrypt);
      const outcomes = await Promise.all([enter(), enter(), enter("another password")]);
      assert.deepEqual(
        outcomes.map(({ type }) => type),
        ["signed_in", "signed_in", "refused"],
      );
      assert.ok(isArgon2id(String(await found())));
      assert.deepEqual(await foreign(), []);
    });

    test("MG-4: a new password that is set during such a sign-in is kept", async () => {
      const { enter, found, foreign, context, admin, user } = await setUp(bcrypt);
      for (const set of ["reset", "another import"] as const) {
        await updateUser(admin, user.id, { password: { hash: bcrypt } });
        const { passwords } = context;
        let isSet = false;
        const slow: typeof passwords = {
          ...passwords,
          async hash(text, ...input) {
            // The sign-in has verified the old password, but has not written its changes yet.
            if (text === password && !isSet) {
              isSet = true;
              if (set === "reset") {
                const mail = await makeResetMail({ email, origin }, context);
                assert.equal(mail?.type, "link");
                const by = { token: mail.token, password: "an entirely new password", origin };
                assert.equal((await resetPassword(by, context)).type, "done");
              } else await updateUser(admin, user.id, { password: { hash: hashSync("newly imported", 4) } });
            }
            return passwords.hash(text, ...input);
          },
        };
        const outcome = await signIn({ email, password, origin }, { ...context, passwords: slow });
        assert.deepEqual(outcome, { type: "refused", reason: "changed_meanwhile" }, set);
        assert.equal((await enter()).type, "refused");
        if (set === "reset") {
          assert.deepEqual(await foreign(), []);
          assert.ok(isArgon2id(String(await found())));
        } else {
          assert.equal((await foreign()).length, 1);
          assert.equal((await enter("newly imported")).type, "signed_in");
        }
      }
    });

    test("MG-4: replacing or removing the password deletes the imported hash", async () => {
      const { foreign, admin, user, found } = await setUp(bcrypt);
      await updateUser(admin, user.id, { password: "an entirely new password" });
      assert.deepEqual(await foreign(), []);
      await updateUser(admin, user.id, { password: { hash: bcrypt } });
      await updateUser(admin, user.id, { password: { hash: hashSync("b", 4) } });
      const [only, ...more] = await foreign();
      assert.deepEqual(more, []);
      assert.equal(await found(), `foreign:${only?.id}`);
      await deleteUser(admin, user.id);
      assert.deepEqual(await foreign(), []);
      assert.equal(await found(), null);
    });

    test("MG-4: a weak imported hash is wrapped in Argon2id, and a common password must be changed at sign-in", async () => {
      const common = "password1";
      const { enter, foreign, found } = await setUp(sha1Of(common));
      const [row] = await foreign();
      assert.equal(row?.scheme, "argon2id of sha1");
      assert.match(row.hash, /^\$argon2id\$v=19\$.*\$inner=/);
      assert.ok(!row.hash.includes(sha1Of(common).slice(5, 20)));
      assert.equal((await enter("password2")).type, "refused");
      const outcome = await enter(common);
      assert.equal(outcome.type === "signed_in" && outcome.weakness, "common");
      assert.ok(isArgon2id(String(await found())));
      // From then on, it is stored like any other password.
      const again = await enter(common);
      assert.equal(again.type === "signed_in" && again.weakness, undefined);
      const strong = await setUp(sha1Of(password));
      const first = await strong.enter();
      assert.equal(first.type === "signed_in" && first.weakness, undefined);
      const slow = await setUp(hashSync(common, 4));
      const entered = await slow.enter(common);
      assert.equal(entered.type === "signed_in" && entered.weakness, undefined);
    });

    test("MG-4: once a setting disables the hash type, its password no longer signs in, and a mail explains it", async () => {
      const it = await setUp(bcrypt);
      const { clock, user, store, admin, foreign } = it;
      const foreign_passwords_until = new Date(clock.now().getTime() + 60_000);
      const context = { ...it.context, settings: { foreign_passwords_until } };
      const enter = (typed: string) => signIn({ email, password: typed, origin }, context);
      const current = await store.find("users", { id: user.id });
      assert.ok(current);
      type Prove = Parameters<typeof passwordAuthenticator.prove>;
      const prove = async () => {
        const input = { user: current, answer: password } as Prove[0];
        const proof = await passwordAuthenticator.prove(input, { identity: context } as unknown as Prove[1]);
        return typeof proof === "string" ? proof : proof.type;
      };
      clock.advance(59);
      assert.equal(await prove(), "proved");
      clock.advance(1);
      const outcome = await enter(password);
      assert.ok(outcome.type === "refused" && outcome.reason === "foreign_password_over");
      assert.equal(outcome.mail_to.id, user.id);
      assert.deepEqual(await enter("another"), { type: "refused", reason: "wrong_password" });
      assert.equal((await foreign()).length, 1);
      assert.equal(await prove(), "wrong");
      const self = {
        ...admin,
        actor: { kind: "user", user: current },
        switches: { foreign_passwords_until },
      } as const;
      const input = { password: "an entirely new password", current_password: password };
      const own = updateUser(self, user.id, input);
      await assert.rejects(own, problem("invalid_record", ["/current_password"]));
      assert.equal((await it.enter()).type, "signed_in");
      assert.equal((await enter(password)).type, "signed_in", "one of our own has no end");
    });

    test("MG-5: a password that its old hash type truncates still signs in, and must then be changed", async () => {
      const long = "x".repeat(80);
      const { enter } = await setUp(hashSync(long, 4));
      assert.equal((await enter("x".repeat(71))).type, "refused");
      const outcome = await enter(`${"x".repeat(72)}another end`);
      assert.equal(outcome.type === "signed_in" && outcome.weakness, "cut_short");
      // From then on, the whole typed password counts.
      assert.equal((await enter(long)).type, "refused");
    });

    test("MG-6: only a platform administrator may set a hash, and one that cannot be verified is refused, not quoted", async () => {
      const { admin, user, store } = await setUp(bcrypt);
      const self = { ...admin, actor: { kind: "user", user } as const };
      const own = updateUser(self, user.id, { password: { hash: bcrypt }, current_password: password });
      await assert.rejects(own, problem("forbidden", ["/password"]));
      const bad = bcrypt.replace("$2b$04", "$2x$04");
      const refused = createUser(admin, { email: "b@example.com", name: "B", password: { hash: bad } });
      await assert.rejects(refused, (error: { readonly errors: readonly object[] }) => {
        assert.deepEqual(error.errors, [
          {
            path: "/password",
            code: "foreign_hash",
            params: { scheme: "bcrypt", part: "version", byte: 1, reason: "is malformed" },
          },
        ]);
        return true;
      });
      assert.equal(await store.count("users", { email: "b@example.com" }), 0);
      for (const wrong of [{ hash: 1 }, { hash: bcrypt, argon2id: bcrypt }, { hash: bcrypt, more: 1 }, {}])
        await assert.rejects(
          createUser(admin, { email: "b@example.com", name: "B", password: wrong }),
          problem("invalid_record", ["/password"]),
        );
    });
  });
