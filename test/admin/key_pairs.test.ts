import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { createRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { Problem } from "../../src/errors.ts";
import { keyAlgorithms } from "../../src/records/names/names.ts";
import { aServiceAccount } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { problem, refused, testContext } from "./context.ts";

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const spki = { type: "spki", format: "pem" } as const;
const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const jwk = ec.publicKey.export({ format: "jwk" });
const pem = ec.publicKey.export(spki).toString();
const keyPairs = resourceOf("key_pairs");

for (const database of databasesInForm)
  describe(`key pairs on ${database.name}`, () => {
    async function ready() {
      const context = testContext(await database.open());
      const { id: service_account_id } = await aServiceAccount(context.store);
      const make = (input: object) => createRecord(context, keyPairs, { service_account_id, ...input });
      return { context, service_account_id, make };
    }

    test("a key pair can be created for every algorithm; its private key is in the response and never stored", async () => {
      const { context, make } = await ready();
      const made = await Promise.all(keyAlgorithms.map((algorithm) => make({ algorithm })));
      for (const [index, { record, once }] of made.entries()) {
        const { private_key_pem = "" } = once;
        assert.equal(record.algorithm, keyAlgorithms[index]);
        assert.match(String(record.key_id), /^[A-Za-z0-9_-]{43}$/);
        const half = createPublicKey(createPrivateKey(private_key_pem)).export(spki);
        assert.equal(record.public_key_pem, half);
        const body = private_key_pem.split("\n")[1] ?? "-";
        for (const table of ["service_account_key_pairs", "audit_events"] as const)
          assert.ok(!JSON.stringify(await context.store.list(table)).includes(body));
      }
      const usual = await make({ key_id: "mine" });
      assert.deepEqual([usual.record.algorithm, usual.record.key_id], ["RS256", "mine"]);
      assert.equal((await make({ key_type: "ec" })).record.algorithm, "ES256");
    });

    test("a public key given as a JWK is stored under its kid, or without one under its thumbprint", async () => {
      const { make } = await ready();
      const named = await make({ jwk: { ...jwk, kid: "laptop", alg: "ES256", use: "sig" } });
      assert.deepEqual(
        [named.record.key_id, named.record.key_type, named.record.algorithm, named.record.public_key_pem],
        ["laptop", "ec", "ES256", pem],
      );
      assert.deepEqual(named.once, {});
      const unnamed = await make({ public_key_pem: pem });
      assert.match(String(unnamed.record.key_id), /^[A-Za-z0-9_-]{43}$/);
      await refused(make({ jwk }), "conflict /service_account_id /key_id");
    });

    test("H-13: an unsuitable public key is refused with all errors at once, and no error quotes it", async () => {
      const { make, service_account_id } = await ready();
      const secret = ec.privateKey.export(pkcs8).toString();
      const privateJwk = ec.privateKey.export({ format: "jwk" });
      const wrong: [object, string[]][] = [
        [{ public_key_pem: secret }, ["/public_key_pem"]],
        [{ jwk: privateJwk }, ["/jwk"]],
        [{ jwk: "text" }, ["/jwk"]],
        [{ jwk, public_key_pem: pem, key_id: "k" }, ["/jwk"]],
        [{ jwk: { ...jwk, alg: "ES512" } }, ["/algorithm"]],
        [{ jwk, algorithm: "RS256" }, ["/algorithm"]],
        [{ algorithm: "HS256", name: "x", last_used_at: null }, ["/last_used_at", "/name", "/algorithm"]],
        [{ algorithm: "ES256", key_type: "rsa" }, ["/algorithm"]],
        [{ service_account_id: crypto.randomUUID() }, ["/service_account_id"]],
        [{ service_account_id: crypto.randomUUID(), algorithm: 7 }, ["/service_account_id", "/algorithm"]],
      ];
      for (const [input, paths] of wrong)
        await assert.rejects(make(input), (error: Problem) => {
          assert.ok(!JSON.stringify(error.errors).includes(String(privateJwk.d)));
          assert.ok(!JSON.stringify(error.errors).includes(secret.split("\n")[1] ?? "-"));
          return Object.hasOwn(input, "service_account_id")
            ? error.code === "not_found" || problem("invalid_record", paths)(error)
            : problem("invalid_record", paths)(error);
        });
      assert.ok(service_account_id);
    });

    test("a revoked key pair cannot be reactivated, and a key pair cannot move to another account", async () => {
      const { context, make } = await ready();
      const { record } = await make({ public_key_pem: pem });
      const id = String(record.id);
      const other = await aServiceAccount(context.store);
      await refused(
        updateRecord(context, keyPairs, id, { service_account_id: other.id, active: "no" }),
        "invalid_record /service_account_id /active",
      );
      await updateRecord(context, keyPairs, id, { revoked: true });
      await refused(updateRecord(context, keyPairs, id, { revoked: false }), "invalid_record /revoked");
    });
  });
