import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import fc from "fast-check";
import { nativeArgon2, nodeArgon2, phcOf, readArgon2id } from "../../src/crypto/hashing/argon2id.ts";
import { passwordHasher } from "../../src/crypto/passwords.ts";

const cheap = { m: 16, t: 2, p: 2 };
const native = nativeArgon2();
if (native === undefined) throw new Error("the native part is not installed");

const password = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => Buffer.from(text));

describe("Argon2id", () => {
  for (const [engine, other] of [
    [native, nodeArgon2],
    [nodeArgon2, native],
  ] as const) {
    test(`a hash from ${engine.name} is verified by ${other.name} for exactly the same password bytes`, async () => {
      await fc.assert(
        fc.asyncProperty(password, password, async (one, two) => {
          const phc = await engine.hash(one, cheap);
          assert.ok(await other.verify(phc, one));
          assert.equal(await other.verify(phc, two), one.equals(two));
        }),
        { numRuns: 40 },
      );
    });
  }

  test("RFC 9106 5.3: both implementations agree with the npm package for other costs, salts and lengths", async () => {
    const password = Buffer.from("correct horse");
    for (const [m, t, p, salt, outputLen] of [
      [8, 1, 1, 8, 16],
      [64, 3, 4, 64, 64],
      [19_456, 2, 1, 16, 32],
    ] as const) {
      const options = { algorithm: 2, memoryCost: m, timeCost: t, parallelism: p, outputLen };
      const phc = await hash(password, { ...options, salt: Buffer.alloc(salt, 7) });
      assert.ok(await verify(phc, password));
      for (const engine of [native, nodeArgon2]) assert.ok(await engine.verify(phc, password), engine.name);
    }
  });

  test("an Argon2 1.0 hash is verified only by the native package; Node's implementation returns false", async () => {
    const password = Buffer.from("correct horse");
    const options = { algorithm: 2, memoryCost: 16, timeCost: 2, parallelism: 1, version: 0 };
    const phc = await hash(password, options);
    assert.match(phc, /\$v=16\$/);
    assert.ok(await native.verify(phc, password));
    assert.equal(await nodeArgon2.verify(phc, password), false);
  });

  test("a PHC string is read as the npm package reads it, and written back byte for byte", () => {
    const base64 = fc.uint8Array({ minLength: 6, maxLength: 70 }).map((bytes) => Buffer.from(bytes));
    const cost = fc.oneof(fc.integer({ min: 0, max: 70 }), fc.constantFrom(19_456, 4_294_967_295));
    fc.assert(
      fc.property(cost, fc.nat(5), fc.nat(9), base64, base64, (m, t, p, salt, output) => {
        const phc = phcOf({ m, t, p }, salt, output);
        const found = readArgon2id(phc);
        const isOfLength =
          salt.length >= 8 && salt.length <= 64 && output.length >= 16 && output.length <= 64;
        if (t >= 1 && p >= 1 && m >= 8 * p && isOfLength) {
          assert.deepEqual(found, { type: "id", version: 19, m, t, p, salt, output });
          const { memoryCost, timeCost, parallelism, saltLen, outputLen } = parseOptions(phc);
          assert.deepEqual(
            [memoryCost, timeCost, parallelism, saltLen, outputLen],
            [m, t, p, salt.length, output.length],
          );
        } else assert.equal(found, undefined, phc);
      }),
    );
  });

  test("a PHC string that is not in canonical form is refused", () => {
    const phc = phcOf(cheap, Buffer.alloc(16), Buffer.alloc(32));
    assert.ok(readArgon2id(phc));
    for (const other of [`${phc}=`, phc.replace(/A$/, "B"), ` ${phc}`, `${phc}\n`, phc.replace("m=", "m=0x")])
      assert.equal(readArgon2id(other), undefined, other);
  });

  test("L-11: passwords are hashed and verified without the native package, by Node alone", async () => {
    const hasher = passwordHasher({ concurrency: 1, queue: 1, parameters: cheap, engine: nodeArgon2 });
    const phc = await hasher.hash("correct horse");
    assert.match(phc, /^\$argon2id\$v=19\$m=16,t=2,p=2\$/);
    assert.equal(await hasher.verify(phc, "correct horse"), true);
    assert.equal(await hasher.verify(phc, "correct hors"), false);
    assert.equal(hasher.needsRehash(phc), false);
  });
});
