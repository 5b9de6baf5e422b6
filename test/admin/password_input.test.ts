import assert from "node:assert/strict";
import { test } from "node:test";
import { passwordInputError } from "../../src/admin/records/password_input.ts";
import { isCommonPassword } from "../../src/crypto/common_passwords.ts";

test("L-13: passwords that are guessed first are refused, whatever their capitals", () => {
  const common = [
    "password",
    "Password1",
    "12345678",
    "1234567890",
    "qwertyuiop",
    "Qwerty123",
    "1q2w3e4r5t",
    "1qaz2wsx",
    "iloveyou",
    "sunshine1",
    "football",
    "Welcome1",
    "letmein1",
    "trustno1",
    "abcd1234",
    "aaaaaaaa",
    "abababab",
    "changeme",
    "princess",
    "admin123",
    "michelle",
    "rush2112",
    "4815162342",
    "1qazxsw2",
    "asdfghjkl",
  ];
  assert.deepEqual(
    common.filter((password) => !isCommonPassword(password)),
    [],
  );
});

test("L-13: any composition goes from 8 characters to 1024 bytes, and nothing is trimmed, folded or cut", () => {
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

test("L-11: a hash made elsewhere is taken when it is Argon2id of an affordable cost, and nothing else is", () => {
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

test("a refused password is never quoted", () => {
  for (const secret of ["hunter2", "password123", `marker${"é".repeat(600)}`]) {
    assert.ok(!JSON.stringify(passwordInputError(secret) ?? secret).includes(secret));
  }
});
