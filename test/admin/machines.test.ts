import assert from "node:assert/strict";
import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import {
  createRecord,
  getRecord,
  removeRecord,
  revokeRecord,
  updateRecord,
} from "../../src/admin/manage/manage.ts";
import { dropSigningKey, listKeys, rotateKeys } from "../../src/admin/records/signing_keys.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { apiKeyPrefix } from "../../src/crypto/api_keys.ts";
import { readPublicKey } from "../../src/crypto/public_keys.ts";
import { english } from "../../src/web/words/english.ts";
import { fieldErrorText } from "../../src/web/words/error_text.ts";
import { anOrganization, aServiceAccount, aToken, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { column } from "../support/lists.ts";
import { openedTokens, problem, refused, testContext } from "./context.ts";

const serviceAccounts = resourceOf("service_accounts");
const keyPairs = resourceOf("key_pairs");
const apiKeys = resourceOf("api_keys");
const linkedAccounts = resourceOf("linked_accounts");

const pem = { type: "spki", format: "pem" } as const;
const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const rsaPem = rsa.publicKey.export(pem).toString();
const ecPem = (namedCurve: string) =>
  generateKeyPairSync("ec", { namedCurve }).publicKey.export(pem).toString();

test("H-13: a public key determines its algorithms, and an invalid key is refused without being quoted", () => {
  const facts = (text: string) => {
    const read = readPublicKey(text);
    return "code" in read ? fieldErrorText(read, english) : [read.key_type, ...read.algorithms];
  };
  assert.deepEqual(facts(rsaPem), ["rsa", "RS256", "RS384", "RS512"]);
  assert.deepEqual(facts(rsa.publicKey.export({ type: "pkcs1", format: "pem" }).toString()), facts(rsaPem));
  assert.deepEqual(facts(ecPem("P-256")), ["ec", "ES256"]);
  assert.deepEqual(facts(ecPem("P-384")), ["ec", "ES384"]);
  assert.deepEqual(facts(ecPem("P-521")), ["ec", "ES512"]);
  assert.match(String(facts(ecPem("secp256k1"))), /curve P-256/);
  assert.match(
    String(facts(generateKeyPairSync("ed25519").publicKey.export(pem).toString())),
    /must be an RSA key/,
  );
  assert.match(
    String(facts(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export(pem).toString())),
    /at least 2048 bits/,
  );
  const secret = rsa.privateKey.export(pkcs8).toString();
  for (const text of [secret, "", "hello", rsaPem.slice(0, 200), secret.replace("PRIVATE", "PUBLIC")]) {
    const read = readPublicKey(text);
    assert.ok("code" in read);
    assert.ok(!JSON.stringify(read).includes(secret.split("\n")[1] ?? "-"));
  }
});

for (const database of databasesInForm) {
  describe(`service accounts and keys on ${database.name}`, () => {
    test("a service account requires an existing organization and an existing creator", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const [ada, acme] = [await aUser(store), await anOrganization(store)];
      const requested = {
        email: "ci@acme.example",
        name: "CI",
        organization_id: acme.id,
        created_by: ada.id,
      };
      const { record } = await createRecord(context, serviceAccounts, requested);
      const id = String(record.id);
      const found = await listRecords(context, serviceAccounts, { email: "CI@acme.example" });
      assert.deepEqual(found.data, [record]);
      await refused(createRecord(context, serviceAccounts, requested), "conflict /email");
      await refused(
        createRecord(context, serviceAccounts, {
          ...requested,
          email: "x@y.example",
          organization_id: ada.id,
          last_used_at: null,
        }),
        "invalid_record /last_used_at /organization_id",
      );
      const token = await aToken(store, { service_account_id: id, user_id: null });
      context.clock.advance(1);
      await updateRecord(context, serviceAccounts, id, { active: false });
      assert.equal(
        (await store.find("oauth_tokens", { id: token.id }))?.revoked_reason,
        "service_account_disabled",
      );
    });

    test("H-13: a key pair has the type and algorithm of its public key, and its kid is unique within the account", async () => {
      const context = testContext(await database.open());
      const { id: service_account_id } = await aServiceAccount(context.store);
      const make = async (input: object) =>
        (await createRecord(context, keyPairs, { service_account_id, ...input })).record;
      const first = await make({ key_id: "one", public_key_pem: `\n${rsaPem}` });
      assert.deepEqual([first.key_type, first.algorithm, first.public_key_pem], ["rsa", "RS256", rsaPem]);
      const second = await make({ key_id: "two", public_key_pem: ecPem("P-384") });
      assert.deepEqual([second.key_type, second.algorithm], ["ec", "ES384"]);
      await refused(make({ key_id: "one", public_key_pem: rsaPem }), "conflict /service_account_id /key_id");
      const wrong = [
        [{ public_key_pem: ecPem("P-256"), algorithm: "ES384" }, ["/algorithm"]],
        [{ public_key_pem: ecPem("P-256"), algorithm: "RS256" }, ["/algorithm"]],
        [{ public_key_pem: rsaPem, key_type: "ec" }, ["/key_type", "/algorithm"]],
        [{ public_key_pem: rsa.privateKey.export(pkcs8) }, ["/public_key_pem"]],
        [{ public_key_pem: null }, ["/public_key_pem"]],
      ] as const;
      for (const [input, paths] of wrong)
        await assert.rejects(make({ key_id: "three", ...input }), problem("invalid_record", paths));
      assert.equal((await listRecords(context, keyPairs, { service_account_id })).data.length, 2);
    });

    test("a key pair can change only to another algorithm of its key, and revoking it stores the time", async () => {
      const context = testContext(await database.open());
      const { id: service_account_id } = await aServiceAccount(context.store);
      const requested = { service_account_id, key_id: "one", public_key_pem: rsaPem };
      const { record } = await createRecord(context, keyPairs, requested);
      const id = String(record.id);
      await refused(updateRecord(context, keyPairs, id, { algorithm: "ES256" }), "invalid_record /algorithm");
      const renewed = await updateRecord(context, keyPairs, id, {
        public_key_pem: ecPem("P-256"),
        algorithm: "ES256",
      });
      assert.deepEqual([renewed.key_type, renewed.algorithm], ["ec", "ES256"]);
      const revoked = await updateRecord(context, keyPairs, id, { revoked: true });
      assert.deepEqual([revoked.revoked, revoked.revoked_at], [true, context.now().toISOString()]);
    });

    test("H-5: an API key is shown once, and stored as its SHA-256 hash with a prefix that reveals nothing secret", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const { id: user_id } = await aUser(store);
      const requested = { name: "k", user_id, scopes: ["read"] };
      const { record, once } = await createRecord(context, apiKeys, requested);
      const [id, key] = [String(record.id), once.key ?? ""];
      const row = (await store.find("api_keys", { id })) ?? assert.fail();
      assert.ok(key.startsWith(apiKeyPrefix));
      assert.deepEqual(row.key_hash, createHash("sha256").update(key).digest());
      assert.ok(row.key_prefix.length <= 12 && key.startsWith(row.key_prefix));
      await refused(
        createRecord(context, apiKeys, { name: "k", key_hash: row.key_hash, user_id: id }),
        "invalid_record /key_hash /user_id",
      );
      assert.equal((await updateRecord(context, apiKeys, id, { name: "other" })).name, "other");
      assert.equal((await revokeRecord(context, apiKeys, id)).revoked, true);
      await refused(updateRecord(context, apiKeys, id, { revoked: false }), "invalid_record /revoked");
      assert.equal((await listRecords(context, apiKeys, { user_id })).data.length, 1);
      await removeRecord(context, apiKeys, id);
      await refused(getRecord(context, apiKeys, id), "not_found");
    });

    test("H-6: the tokens of a linked account are encrypted for that record, and an account can be linked only once", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const { id: user_id } = await aUser(store);
      const requested = { user_id, provider: "github", provider_user_id: "42" };
      const tokens = { access_token: "upstream-access", refresh_token: "upstream-refresh" };
      await refused(
        createRecord(context, linkedAccounts, { ...requested, access_token: "", refresh_token: 7 }),
        "invalid_record /access_token /refresh_token",
      );
      const { record } = await createRecord(context, linkedAccounts, { ...requested, ...tokens });
      const id = String(record.id);
      const account = async () => (await store.find("oauth_accounts", { id })) ?? assert.fail();
      const row = await account();
      assert.ok(!JSON.stringify(row).includes("upstream-"));
      assert.deepEqual(openedTokens(context, row), tokens);
      const other = { ...row, id: store.newId(context.now()) };
      assert.throws(() => openedTokens(context, other), { name: "SealError" });
      const renewed = { access_token: "upstream-second", refresh_token: null };
      await updateRecord(context, linkedAccounts, id, renewed);
      assert.deepEqual(openedTokens(context, await account()), renewed);
      await refused(
        createRecord(context, linkedAccounts, { ...requested, ...tokens }),
        "conflict /provider /provider_user_id",
      );
      await removeRecord(context, linkedAccounts, id);
      assert.deepEqual((await listRecords(context, linkedAccounts, { user_id })).data, []);
    });

    test("D-4: a dropped signing key is deleted immediately, and another key of the same algorithm signs", async () => {
      const context = testContext(await database.open());
      const { clock } = context;
      const states = async () =>
        Object.fromEntries((await listKeys(context)).map(({ kid, state }) => [kid, state]));
      const first = await rotateKeys(context);
      clock.advance(3600);
      const next = await rotateKeys(context);
      const other = await rotateKeys(context, { algorithm: "ES256" });
      // Drops the key that was to replace the first one, which continues to sign.
      await dropSigningKey(context, next.id);
      const [kept] = await listKeys(context);
      assert.deepEqual([kept?.kid, kept?.retires_at, kept?.expires_at], [first.kid, null, null]);
      await dropSigningKey(context, first.id);
      const [made, rest] = (await listKeys(context)).toSorted((one) => (one.algorithm === "RS256" ? -1 : 1));
      assert.deepEqual([made?.algorithm, made?.state, rest?.kid], ["RS256", "signing", other.kid]);
      assert.notEqual(made?.kid, first.kid);
      // Dropping a key that no longer signs needs no replacement.
      const later = await rotateKeys(context);
      clock.advance(700);
      await dropSigningKey(context, made?.id ?? "");
      assert.deepEqual(await states(), { [other.kid]: "signing", [later.kid]: "signing" });
    });

    test("D-4: the replacement of a dropped signing key retires for the next key, and is created when no key signs", async () => {
      const context = testContext(await database.open());
      const { clock, store } = context;
      const first = await rotateKeys(context);
      clock.advance(3600);
      const next = await rotateKeys(context);
      await dropSigningKey(context, first.id);
      const standIn = (await listKeys(context)).find(({ kid }) => kid !== next.kid);
      assert.deepEqual([standIn?.state, standIn?.retires_at], ["signing", next.activates_at]);
      clock.advance(700);
      // The server cannot create a key without its encryption key, but this drop needs no new key.
      const { sealer: _, ...away } = context;
      await dropSigningKey(away, standIn?.id ?? "");
      assert.deepEqual(column(await store.list("signing_keys", {}), "kid"), [next.kid]);
      await assert.rejects(dropSigningKey(away, next.id));
      assert.equal(await store.count("signing_keys", { kid: next.kid }), 1);
    });
  });
}
