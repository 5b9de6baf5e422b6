import assert from "node:assert/strict";
import { test } from "node:test";
import { readSecrets } from "../../src/admin/records/given_secrets.ts";
import { passwordInputError } from "../../src/admin/records/password_input.ts";
import { isCommonPassword } from "../../src/crypto/password_rules.ts";
import { column, words } from "../support/lists.ts";

test("L-13: the most common passwords are refused, in any case", () => {
  const common = words(`
    password Password1 12345678 1234567890 qwertyuiop Qwerty123 1q2w3e4r5t 1qaz2wsx iloveyou sunshine1
    football Welcome1 letmein1 trustno1 abcd1234 aaaaaaaa abababab changeme princess admin123 michelle
    rush2112 4815162342 1qazxsw2 asdfghjkl
  `);
  assert.deepEqual(
    common.filter((password) => !isCommonPassword(password)),
    [],
  );
});

test("another system's hash is refused as a password or secret; a text that only begins like a hash is accepted", () => {
  const hashes = words(`
    $2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy
    $argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b27
    $scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E
    $pbkdf2-sha256$29000$N2YMIWQsBWBMae09x1jrPQ$1t8iyB2A.WF/Z5JZv.lfCIhXXN33N23OSgQYThBYRfk
    $1$saltsalt$qjXMvbEw8oaL.CzflDtaK/ $apr1$saltsalt$CqGBIL8H8sQcVx0zz7iLu0
    $6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc
    {SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr {CRYPT}$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2
    pbkdf2_sha256$260000$abcdefghijkl$kaQ5hBRVvJnLTpQIXA9jmzGpfEXaMPGl0VAxTkkbRZQ=
    scrypt:32768:8:1$salt$5f4dcc3b5aa765d61d8327deb882cf99 *2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19
  `);
  const found = hashes.map((hash) => passwordInputError(hash)?.code);
  assert.deepEqual(found, Array<string>(hashes.length).fill("password_is_hash"));
  const [hash] = hashes;
  const { errors } = readSecrets([hash, { value: hash }], false, {
    actor: { kind: "system", label: "test" },
  });
  assert.ok(errors.every(({ code }) => code === "secret_is_hash" || code === "same_secret"));
  assert.deepEqual(column(errors, "path"), ["/secrets/0", "/secrets/1/value", "/secrets/1"]);
  const texts = [
    "$2b$ is how it begins",
    "{SSHA} and more words",
    "$100 for a password",
    "*247 stars and more",
  ];
  assert.deepEqual(
    texts.map((text) => passwordInputError(text)),
    texts.map(() => undefined),
  );
});

test("L-13: a password of 8 characters to 1024 bytes is used as typed, without trimming, folding or truncation", () => {
  const good = [
    "correct horse battery staple",
    "       ~x",
    "only lower case",
    "ÆØÅæøåßñ",
    "日本語のパスワード",
    "a\0b\0c\0d\0",
    "xyz ".repeat(256),
    "🐴🔋📎✅🐴🔋📎🧷",
  ];
  assert.deepEqual(
    good.map(passwordInputError),
    good.map(() => undefined),
  );
  const bad = [
    "",
    "seven77",
    "🐴🔋📎✅🐴🔋📎",
    `${"é".repeat(512)}x`,
    "\ud800 not text",
    12345678,
    null,
    ["password"],
  ];
  assert.deepEqual(
    bad.filter((password) => passwordInputError(password) === undefined),
    [],
  );
});

test("L-11: the only hashes accepted by import are Argon2id hashes of an affordable cost", () => {
  const phc =
    "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
  assert.equal(passwordInputError({ argon2id: phc }), undefined);
  const bad = [
    { argon2id: phc.replace("argon2id", "argon2i") },
    { argon2id: phc.replace("m=19456", "m=4194304") },
    { argon2id: "$2b$12$abcdefghijklmnopqrstuv" },
    { argon2id: phc, more: 1 },
    { argon2id: 7 },
    {},
  ];
  for (const each of bad) assert.equal(passwordInputError(each)?.code, "not_password");
});

test("an error about a password never quotes it", () => {
  for (const secret of ["hunter2", "password123", `marker${"é".repeat(600)}`])
    assert.ok(!JSON.stringify(passwordInputError(secret) ?? secret).includes(secret));
});
