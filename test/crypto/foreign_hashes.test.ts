import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { hashSync } from "bcryptjs";
import fc from "fast-check";
import { ForeignHashError } from "../../src/crypto/foreign_hashes/foreign_hash.ts";
import {
  isCutShort,
  isWeak,
  readForeignHash,
  verifyForeignHash,
  wrapWeak,
} from "../../src/crypto/foreign_hashes/foreign_hashes.ts";
import { nodeArgon2 } from "../../src/crypto/hashing/argon2id.ts";
import { isArgon2id, type PasswordHasher, passwordHasher } from "../../src/crypto/passwords.ts";
import { OverloadedError } from "../../src/errors.ts";
import { codePoint } from "../support/code_point.ts";
import { inForm } from "../support/form.ts";

type Vector = readonly [scheme: string, hash: string, password: string];

/** Hashes by the program that created them; the file explains how they were created. */
const vectors = Object.entries<Vector[]>(
  JSON.parse(readFileSync(join(import.meta.dirname, "foreign_hash_vectors.json"), "utf8")).made_by,
);
const allVectors = vectors.flatMap(([, each]) => each);

const cheap = { m: 8, t: 1, p: 1 };
const hasher = passwordHasher({ concurrency: 2, queue: 64, parameters: cheap });

const verifyText = (by: PasswordHasher, text: string, password: string) => by.verify(text, password);

function refusal(text: string): ForeignHashError {
  try {
    readForeignHash(text);
  } catch (error) {
    if (error instanceof ForeignHashError) return error;
    throw error;
  }
  return assert.fail(`${text} is read`);
}

const zeros = (bytes: number, fill = 0) => Buffer.alloc(bytes, fill).toString("base64").replace(/=+$/, "");

/** Returns a credential as in an export of Keycloak. */
const keycloak = (algorithm: string, hashIterations: number, additional: object = {}, members: object = {}) =>
  JSON.stringify({
    type: "password",
    secretData: JSON.stringify({ value: zeros(32), salt: zeros(16) }),
    credentialData: JSON.stringify({ algorithm, hashIterations, additionalParameters: additional }),
    ...members,
  });

/** Returns a hash in version 3 of ASP.NET Identity. */
function identityBlob(digest: number, iterations: number, saltLength = 16): string {
  const header = Buffer.from([1, ...Array<number>(12).fill(0)]);
  for (const [index, value] of [digest, iterations, saltLength].entries())
    header.writeUInt32BE(value, 1 + 4 * index);
  return Buffer.concat([header, Buffer.alloc(48)]).toString("base64");
}

describe("password hashes of other programs", () => {
  for (const [made_by, each] of vectors)
    test(`MG-1: hashes from ${made_by} are recognized and verified`, async () => {
      for (const [index, [scheme, text, password]] of each.entries()) {
        const hash = readForeignHash(text);
        assert.equal(hash.scheme, scheme);
        assert.ok(await verifyForeignHash(hash, password), text);
        // A wrong password is tried once per scheme, because it takes as long as the right one.
        if (each[index - 1]?.[0] === scheme) continue;
        assert.equal(await verifyForeignHash(hash, `!${password}`), false, text);
      }
    });

  test("MG-1: Node verifies each variant of Argon2 1.3 without the native package", async () => {
    const ofVersion = allVectors.filter(([, text]) => /^\$argon2(?:i|d|id)\$v=19/.test(text));
    assert.deepEqual([...new Set(ofVersion.map(([scheme]) => scheme))], ["argon2i", "argon2d", "argon2id"]);
    for (const [, text, password] of ofVersion) {
      assert.ok(await nodeArgon2.verify(text, Buffer.from(password)), text);
      assert.equal(await nodeArgon2.verify(text, Buffer.from(`${password}!`)), false, text);
    }
  });

  test("MG-1: each hash has one canonical form, which reads back as the same hash", async () => {
    for (const [scheme, text] of allVectors) {
      const hash = readForeignHash(text);
      const again = readForeignHash(hash.text);
      assert.deepEqual([again.scheme, again.text], [scheme, hash.text]);
    }
    const [twenty, dots] = [Buffer.alloc(20, 255).toString("base64"), ".".repeat(86)];
    const argon2 = `m=8,t=1,p=1$${zeros(8)}$${zeros(16)}`;
    const same = [
      [`$pbkdf2$1000$c2FsdA$${twenty}`, `pbkdf2_sha1$1000$salt$${twenty}`],
      [`$pbkdf2-sha1$1000$$${"../".repeat(8)}`, `$pbkdf2-sha1$i=1000$$${"++/".repeat(8)}`],
      [`$6$rounds=5000$a$${dots}`, `$6$a$${dots}`],
      [`$P$B12345678${dots.slice(0, 22)}`, `$H$B12345678${dots.slice(0, 22)}`],
      [`{SHA}${twenty}`, `$sha1$${twenty}`],
      [`$argon2id$${argon2}`, `$argon2id$v=16$${argon2}`],
      // These differ only in unused bits of the last digit.
      [`$2b$04$${dots.slice(0, 52)}/`, `$2b$04$${dots.slice(0, 53)}`],
      [`$2b$04$${dots.slice(0, 21)}A${dots.slice(0, 31)}`, `$2b$04$${dots.slice(0, 53)}`],
    ];
    for (const [one = "", other = ""] of same)
      assert.equal(readForeignHash(one).text, readForeignHash(other).text);
  });

  test("MG-1: the error for an unreadable hash names the scheme, the part and the byte position", () => {
    const salt = ".".repeat(22);
    const wrong: [string, string | undefined, string, number][] = [
      ["", undefined, "the beginning", 0],
      ["correct horse", undefined, "the beginning", 0],
      [`$7$${"x".repeat(5000)}`, undefined, "the text", 0],
      [`$2x$10$${salt}${".".repeat(31)}`, "bcrypt", "version", 1],
      [`$2$10$${salt}${".".repeat(31)}`, "bcrypt", "version", 1],
      [`$2b$15$${salt}${".".repeat(31)}`, "bcrypt", "cost", 4],
      [`$2b$03$${salt}${".".repeat(31)}`, "bcrypt", "cost", 4],
      [`$2b$10$${salt}${".".repeat(30)}`, "bcrypt", "hash", 29],
      [`$2b$10$${salt}${".".repeat(32)}`, "bcrypt", "the end", 60],
      [`$bcrypt-sha256$v=2,t=2b,r=15$${salt}$${".".repeat(31)}`, "bcrypt-sha256", "cost", 26],
      [`$wp$2y$15$${salt}${".".repeat(31)}`, "wordpress", "cost", 7],
      ["$pbkdf2-sha256$i=0,l=32$AAAA$AAAA", "pbkdf2-sha256", "iterations", 17],
      [`$pbkdf2-sha256$i=2000001,l=32$AAAA$${zeros(32)}`, "pbkdf2-sha256", "iterations", 17],
      [`$pbkdf2-sha256$i=1000001,l=64$AAAA$${zeros(64)}`, "pbkdf2-sha256", "hash", 35],
      [`$pbkdf2-sha256$i=1,l=31$AAAA$${zeros(32)}`, "pbkdf2-sha256", "hash", 29],
      [`$pbkdf2-sha256$i=1,l=15$AAAA$${zeros(15)}`, "pbkdf2-sha256", "length", 21],
      [`pbkdf2_sha256$2000001$salt$${zeros(32)}`, "pbkdf2-sha256", "iterations", 14],
      [`pbkdf2_sha256$1$s\u00e4lt$${zeros(3)}`, "pbkdf2-sha256", "hash", 22],
      [`pbkdf2:sha512:9999999999$salt$${"00".repeat(64)}`, "pbkdf2-sha512", "iterations", 14],
      [keycloak("pbkdf2-sha256", 2_000_001), "keycloak", "iterations", 0],
      [keycloak("scram", 1), "keycloak", "algorithm", 0],
      [keycloak("pbkdf2", 1, {}, { type: "otp" }), "keycloak", "type", 0],
      [keycloak("pbkdf2", 1, {}, { secretData: "{not JSON" }), "keycloak", "credential", 0],
      [keycloak("argon2", 5, { type: ["x"] }), "keycloak", "type", 0],
      ['{"a', "keycloak", "credential", 0],
      [identityBlob(1, 2_000_001), "asp-net-identity-v3", "iterations", 0],
      [identityBlob(3, 1), "asp-net-identity-v3", "blob", 0],
      [identityBlob(1, 1, 40), "asp-net-identity-v3", "blob", 0],
      [identityBlob(1, 1, 2 ** 32 - 1), "asp-net-identity-v3", "blob", 0],
      ["A", "asp-net-identity-v2", "blob", 0],
      [zeros(50), "asp-net-identity-v2", "blob", 0],
      [`$scrypt$ln=19,r=8,p=1$AAAA$${zeros(32)}`, "scrypt", "cost", 20],
      [`$scrypt$ln=17,r=8,p=9$AAAA$${zeros(32)}`, "scrypt", "cost", 20],
      [`$scrypt$ln=16,r=1,p=1$AAAA$${zeros(32)}`, "scrypt", "cost", 20],
      [`$scrypt$ln=21,r=1,p=1$AAAA$${zeros(32)}`, "scrypt", "ln", 11],
      [`scrypt:32767:8:1$salt$${"00".repeat(64)}`, "scrypt", "N", 7],
      [`scrypt:1048576:8:1$salt$${"00".repeat(64)}`, "scrypt", "cost", 17],
      [`scrypt$1048576$salt$8$1$${zeros(64)}`, "scrypt", "cost", 22],
      [`$firescrypt$ln=19,r=8,p=1$AAAA$${zeros(64)}$Bw$${zeros(64)}`, "firescrypt", "cost", 24],
      [`$firescrypt$ln=14,r=8,p=1$AAAA$${zeros(64)}$Bw$${zeros(63)}`, "firescrypt", "signer key", 121],
      [`$argon2id$v=19$m=262145,t=1,p=1$${zeros(8)}$${zeros(32)}`, "argon2id", "cost", 44],
      [`$argon2d$v=19$m=8,t=1,p=1,keyid=AAAA$${zeros(8)}$${zeros(32)}`, "argon2d", "keyid or data", 24],
      [`$argon2i$v=19$m=8,t=1,p=1,data=AAAA$${zeros(8)}$${zeros(32)}`, "argon2i", "keyid or data", 24],
      [`$argon2i$v=18$m=8,t=1,p=1$${zeros(8)}$${zeros(32)}`, "argon2i", "version", 11],
      [`$5$rounds=500001$salt$${".".repeat(43)}`, "sha256-crypt", "rounds", 10],
      [`$6$rounds=999$salt$${".".repeat(86)}`, "sha512-crypt", "rounds", 10],
      [`$6$seventeen-letters$${".".repeat(86)}`, "sha512-crypt", "salt", 3],
      [`$1$ninechars$${".".repeat(22)}`, "md5-crypt", "salt", 3],
      [`$apr1$a$${".".repeat(21)}2`, "apr1", "hash", 8],
      [`$P$I12345678${".".repeat(22)}`, "phpass", "cost", 3],
      [`$P$412345678${".".repeat(22)}`, "phpass", "cost", 3],
      [`{SSHA}${zeros(19)}`, "sha1", "hash", 6],
      [`$sha256$pf=${Buffer.from("{SALT}").toString("base64")}$AAAA$${zeros(32)}`, "sha256", "template", 11],
      [
        `$md5$pf=${Buffer.from("{PASSWORD}".repeat(5)).toString("base64")}$AAAA$${zeros(16)}`,
        "md5",
        "template",
        8,
      ],
      [`$hmac-sha256$${zeros(64)}$AAAA`, "hmac-sha256", "hash", 13],
    ];
    for (const [text, scheme, part, at] of wrong) {
      const error = refusal(text);
      assert.deepEqual([error.scheme, error.part, error.at], [scheme, part, at], text);
      assert.ok(error.message.startsWith(`${scheme ?? "no known scheme"}: ${part} at byte ${at} `));
    }
  });

  test("a bcrypt hash that ends too early is reported as incomplete", () => {
    const short = "is too short: the hash is incomplete";
    const reasons: [text: string, reason: string][] = [
      ["$2b$12$abc", short],
      [`$2b$12$${".".repeat(52)}`, short],
      [`$2b$12$ab!${".".repeat(50)}`, "is malformed"],
    ];
    for (const [text, reason] of reasons) assert.equal(refusal(text).reason, reason, text);
  });

  test("MG-2: a cost over the limit is refused on reading and on verifying, and is never computed", async () => {
    const dear = [
      `$2b$31$${".".repeat(53)}`,
      `$bcrypt-sha512-hex$2b$15$${".".repeat(53)}`,
      `$pbkdf2-sha512$i=4294967295,l=64$AAAA$${zeros(64)}`,
      `$pbkdf2-sha1$i=2000000,l=128$AAAA$${zeros(128)}`,
      `$scrypt$ln=20,r=1024,p=1024$AAAA$${zeros(64)}`,
      `$scrypt$ln=14,r=1024,p=1024$AAAA$${zeros(64)}`,
      `$argon2d$v=19$m=262144,t=5,p=1$${zeros(8)}$${zeros(32)}`,
      `$argon2i$v=19$m=1024,t=4294967295,p=1$${zeros(8)}$${zeros(32)}`,
      `$argon2id$v=16$m=1024,t=1,p=17$${zeros(8)}$${zeros(32)}`,
      `$6$rounds=999999999$a$${".".repeat(86)}`,
      `$P$S12345678${".".repeat(22)}`,
      identityBlob(2, 2 ** 32 - 1),
      keycloak("argon2", 2 ** 31, { memory: ["262144"], type: ["id"], version: ["1.3"], parallelism: ["1"] }),
    ];
    const before = process.cpuUsage();
    for (const text of dear) {
      assert.ok(refusal(text));
      assert.equal(await verifyText(hasher, text, "pw"), false, text);
    }
    // Even the cheapest of these hashes would take seconds.
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 1_000_000, `${user + system} µs`);
    const dearest = [
      `$2b$14$${".".repeat(53)}`,
      `$pbkdf2-sha256$i=2000000,l=32$AAAA$${zeros(32)}`,
      `$scrypt$ln=18,r=8,p=4$AAAA$${zeros(64)}`,
      `$5$rounds=500000$a$${".".repeat(43)}`,
      `$P$H12345678${".".repeat(22)}`,
    ];
    for (const text of dearest) assert.ok(readForeignHash(text));
  });

  const times = inForm(2000, 10_000);
  test(`MG-2: each of ${times} damaged hashes is read within the limits or refused quickly, and never quoted`, () => {
    // Returns a text with one change: a piece is replaced, omitted, doubled or inserted from another hash.
    const damaged = fc
      .record({
        text: fc.constantFrom(...allVectors.map(([, text]) => text)),
        other: fc.constantFrom(...allVectors.map(([, text]) => text)),
        from: fc.noBias(fc.nat(9999)),
        length: fc.oneof(fc.constant(1), fc.nat(12)),
        put: fc.oneof(
          fc.string({ unit: codePoint, maxLength: 4 }),
          fc.stringMatching(/^[0-9]{1,10}$/),
          fc.stringMatching(/^[A-Za-z0-9./]$/),
          fc.stringMatching(/^[A-Za-z0-9./]$/),
          fc.constantFrom("$", ",", "=", ":", "{", "\0", "../", "rounds=", "$inner="),
          fc.constant(undefined),
        ),
      })
      .map(({ text, other, from, length, put }) => {
        const at = Math.floor((from / 10_000) * text.length);
        return text.slice(0, at) + (put ?? other.slice(at, at + 2 * length)) + text.slice(at + length);
      });
    let read = 0;
    const before = process.cpuUsage();
    fc.assert(
      fc.property(damaged, (text) => {
        try {
          const hash = readForeignHash(text);
          assert.equal(readForeignHash(hash.text).text, hash.text);
          assertWithinBounds(hash.text);
          read += 1;
        } catch (error) {
          assert.ok(error instanceof ForeignHashError, String(error));
          assert.equal(error.cause, undefined);
          // Words of the server's own messages consist of letters only.
          const pieces = (text.match(/[A-Za-z0-9+/.]{16,}/g) ?? []).flatMap((piece) =>
            Array.from({ length: piece.length - 5 }, (_, at) => piece.slice(at, at + 6)),
          );
          const reported = pieces.filter((piece) => /[^A-Za-z]/.test(piece) && error.message.includes(piece));
          assert.deepEqual(reported, [], error.message);
        }
      }),
      { numRuns: times, seed: 163 },
    );
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 20_000_000, `${user + system} µs`);
    assert.ok(read > times / 20 && read < 0.95 * times, `${read} were read`);
  });

  test("MG-2: a text designed to be slow to parse is refused as quickly as any other", () => {
    const before = process.cpuUsage();
    for (const [, text] of allVectors)
      for (const filler of ["$", "A", "=", "1", " ", "{", '"', "="]) {
        const prefix = text.slice(0, text.lastIndexOf("$", 24) + 1 || 8);
        assert.ok(refusal(prefix + filler.repeat(4000)));
      }
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 5_000_000, `${user + system} µs`);
  });

  test("MG-3: no slow hash scheme blocks the event loop", async () => {
    const slow = [
      hashSync("pw", 9),
      `$pbkdf2-sha512$i=150000,l=64$AAAA$${zeros(64)}`,
      `$scrypt$ln=15,r=8,p=1$AAAA$${zeros(64)}`,
      `$firescrypt$ln=15,r=8,p=1$AAAA$${zeros(64)}$Bw$${zeros(64)}`,
      `$argon2d$v=19$m=65536,t=2,p=1$${zeros(8)}$${zeros(32)}`,
      `$6$rounds=60000$a$${".".repeat(86)}`,
      `$P$F12345678${".".repeat(22)}`,
    ];
    for (const text of slow) {
      const hash = readForeignHash(text);
      let turns = 0;
      const clock = setInterval(() => (turns += 1), 1);
      await verifyForeignHash(hash, "another");
      clearInterval(clock);
      assert.ok(turns >= 5, `${turns} turns during ${hash.scheme}`);
    }
  });

  test("MG-3: verifications of imported hashes wait in the password hasher's queues", async () => {
    const narrow = passwordHasher({ concurrency: 1, queue: 1, parameters: cheap });
    const text = `$pbkdf2-sha512$i=20000,l=64$AAAA$${zeros(64)}`;
    const all = Array.from({ length: 3 }, () => verifyText(narrow, text, "pw"));
    const results = await Promise.allSettled(all);
    const reasons = results.map((result) => (result.status === "rejected" ? result.reason : result.value));
    assert.deepEqual(reasons.slice(0, 2), [false, false]);
    assert.ok(reasons[2] instanceof OverloadedError);
    // Requests without a hash use no slot.
    const busy = verifyText(narrow, text, "pw");
    const waiting = verifyText(narrow, text, "pw");
    assert.equal(await verifyText(narrow, "no hash", "pw"), false);
    assert.equal(await verifyText(narrow, text, "x".repeat(1025)), false);
    assert.equal(await verifyText(narrow, text, "a\ud800"), false);
    await Promise.all([busy, waiting]);
  });

  test("MG-4: hash schemes are weak exactly if they compute fewer than 5,000 digests", () => {
    const weak = new Set(
      allVectors.filter(([, text]) => isWeak(readForeignHash(text))).map(([scheme]) => scheme),
    );
    const fast = ["md5", "sha1", "sha256", "sha512", "md5-crypt", "apr1"];
    for (const scheme of [...fast, ...fast.slice(0, 4).map((name) => `hmac-${name}`)])
      assert.ok(weak.has(scheme), scheme);
    for (const scheme of weak) assert.doesNotMatch(scheme, /bcrypt|scrypt|argon2/);
    const costs: [string, boolean][] = [
      [`$pbkdf2-sha256$i=4999,l=32$AAAA$${zeros(32)}`, true],
      [`$pbkdf2-sha256$i=5000,l=32$AAAA$${zeros(32)}`, false],
      [`$P$A12345678${".".repeat(22)}`, true],
      [`$P$B12345678${".".repeat(22)}`, false],
      [`$6$a$${".".repeat(86)}`, false],
    ];
    for (const [text, expected] of costs) assert.equal(isWeak(readForeignHash(text)), expected, text);
  });

  test("MG-4: a weak hash is wrapped in Argon2id, which hides it, and the password still verifies", async () => {
    const oneOfEach = new Map(
      allVectors
        .filter(([, text, password]) => password !== "" && isWeak(readForeignHash(text)))
        .map((vector) => [vector[0], vector]),
    );
    assert.ok(oneOfEach.size >= 10);
    for (const [scheme, text, password] of oneOfEach.values()) {
      const weak = readForeignHash(text);
      assert.ok(isWeak(weak));
      const wrapped = await wrapWeak(weak, hasher.hash);
      assert.match(wrapped.text, /^\$argon2id\$v=19\$m=8,t=1,p=1\$[^$]+\$[^$]+\$inner=[A-Za-z0-9+/]+$/);
      assert.equal(wrapped.scheme, `argon2id of ${scheme}`);
      assert.equal(isWeak(wrapped), false);
      const again = readForeignHash(wrapped.text);
      assert.equal(again.text, wrapped.text);
      assert.ok(await verifyForeignHash(again, password), scheme);
      assert.equal(await verifyForeignHash(again, `${password}!`), false, scheme);
      const inner = Buffer.from(wrapped.text.split("$inner=")[1] ?? "", "base64").toString();
      assert.equal(await verifyForeignHash(readForeignHash(inner), password), false);
      // The text is not an Argon2id hash of this server. If it were, the weak hash itself would be the
      // password.
      assert.equal(isArgon2id(wrapped.text), false);
    }
  });

  test("MG-4: the wrapper contains nothing of the weak hash, and only weak hashes are wrapped", async () => {
    const weak = readForeignHash(`{SHA}${createHash("sha1").update("pw").digest("base64")}`);
    assert.ok(isWeak(weak));
    const { text } = await wrapWeak(weak, hasher.hash);
    const [outer = "", blank = ""] = text.split("$inner=");
    const base64 = (inner: string) => Buffer.from(inner).toString("base64").replace(/=+$/, "");
    const inners = [
      base64(weak.text),
      base64(text),
      base64(`$2b$04$${".".repeat(53)}`),
      base64("pw"),
      `${blank}$inner=${blank}`,
      `${blank}$`,
      "",
    ];
    for (const inner of inners) assert.equal(refusal(`${outer}$inner=${inner}`).scheme, "wrapped", inner);
    assert.equal(refusal(`${weak.text}$inner=${blank}`).scheme, "wrapped");
    assert.equal(refusal(`${outer.replace("m=8", "m=262145")}$inner=${blank}`).scheme, "argon2id");
  });

  test("MG-5: bcrypt reads 72 bytes, and only up to a NUL; a longer password is reported as truncated", async () => {
    const long = "x".repeat(72);
    const euros = "\u20ac".repeat(24);
    const right: [made: string, typed: string, cut: boolean][] = [
      [long, long, false],
      [long, `${long}y`, true],
      [`${long}y`, `${long}z`, true],
      [euros, euros, false],
      [euros, `${euros}\u20ac`, true],
      ["a", "a\0b", true],
      ["a\0b", "a\0b", true],
    ];
    for (const [made, typed, cut] of right) {
      const hash = readForeignHash(hashSync(made, 4));
      assert.ok(await verifyForeignHash(hash, typed), JSON.stringify([made, typed]));
      assert.equal(isCutShort(hash, typed), cut, JSON.stringify(typed));
    }
    assert.equal(await verifyForeignHash(readForeignHash(hashSync(long, 4)), long.slice(1)), false);
    assert.equal(await verifyForeignHash(readForeignHash(hashSync("a\0b", 4)), "a\0c"), false);
    for (const [scheme, text] of allVectors)
      if (!/^bcrypt$|crypt$|apr1/.test(scheme) || scheme === "scrypt" || scheme === "firescrypt")
        assert.equal(isCutShort(readForeignHash(text), `a\0${long}`), false, scheme);
  });

  test("MG-5: a password is tried as typed and in composed Unicode, and in UTF-16 if the scheme requires it", async () => {
    const [apart, composed] = ["e\u0301", "\u00e9"];
    const digest = (text: string) =>
      readForeignHash(`{SHA}${createHash("sha1").update(text).digest("base64")}`);
    assert.ok(await verifyForeignHash(digest(composed), apart));
    assert.ok(await verifyForeignHash(digest(apart), apart));
    assert.equal(await verifyForeignHash(digest(apart), composed), false);
    assert.equal(await verifyForeignHash(digest("\ufffd"), "\ud800"), false);
    // Each syllable takes three bytes when composed, and nine when decomposed.
    const syllables = Array.from({ length: 300 }, (_, index) =>
      String.fromCodePoint(0xac01 + 28 * index),
    ).join("");
    assert.ok(await verifyText(hasher, digest(syllables).text, syllables.normalize("NFD")));
    const [, utf16 = "", password = ""] = allVectors.find(([, text]) => text.includes("e=utf16le")) ?? [];
    assert.ok(await verifyForeignHash(readForeignHash(utf16), password));
    assert.equal(await verifyForeignHash(readForeignHash(utf16.replace("e=utf16le$", "")), password), false);
  });
});

/** Checks the costs in a canonical text, with a parser that is independent of the sources. */
function assertWithinBounds(text: string): void {
  const numbers = [...text.matchAll(/\$(?:2[aby]\$(?<bcrypt>\d\d)\$|rounds=(?<rounds>\d+)\$)/g)];
  for (const { groups } of numbers) {
    assert.ok(Number(groups?.bcrypt ?? 0) <= 14, text);
    assert.ok(Number(groups?.rounds ?? 0) <= 500_000, text);
  }
  const named = (name: string) => Number(new RegExp(`[$,]${name}=(\\d+)`).exec(text)?.[1] ?? 0);
  if (text.startsWith("$bcrypt-sha256$")) assert.ok(named("r") <= 14, text);
  if (text.startsWith("$pbkdf2")) assert.ok(named("i") * Math.ceil(named("l") / 64) <= 2_000_000, text);
  if (/^\$(?:fire)?scrypt/.test(text)) assert.ok(2 ** named("ln") * named("r") * named("p") <= 2 ** 23, text);
  if (text.startsWith("$argon2"))
    assert.ok(named("m") <= 262_144 && named("m") * named("t") <= 1_048_576 && named("p") <= 16, text);
  if (text.startsWith("$P$")) assert.match(text, /^\$P\$[5-9A-H]/);
}
