/**
 * Reads Argon2 hashes (RFC 9106) of every type and version that use neither a secret key nor associated data.
 */
import { type Argon2Hash, type Argon2Type, argon2Engine, isAffordable, phcOf } from "../hashing/argon2id.ts";
import type { Fields, ForeignHash, Reader } from "./foreign_hash.ts";

const count = { least: 1, most: 2 ** 32 - 1 };

/** Returns the verifiable hash; throws a ForeignHashError if its parameters are invalid or too expensive. */
export function argon2Hash(fields: Fields, found: Argon2Hash): ForeignHash {
  if (found.m < 8 * found.p) fields.refuse("m", "is less than eight per lane");
  if (!isAffordable(found)) fields.refuse("cost", "exceeds the limit");
  const text = phcOf(found, found.salt, found.output);
  return { scheme: fields.scheme, text, matches: (password) => argon2Engine().verify(text, password) };
}

function readPhc(fields: Fields, type: Argon2Type): ForeignHash {
  let version: 16 | 19 = 16;
  if (fields.skip("v=")) {
    version = fields.take("version", /1[69](?=\$)/y) === "19" ? 19 : 16;
    fields.expect("$");
  }
  fields.expect("m=");
  const m = fields.number("m", count);
  fields.expect(",t=");
  const t = fields.number("t", count);
  fields.expect(",p=");
  const p = fields.number("p", { least: 1, most: 255 });
  if (fields.skip(",keyid=") || fields.skip(",data=")) fields.refuse("keyid or data", "is not supported");
  fields.expect("$");
  const salt = fields.base64("salt", argon2Salt);
  fields.expect("$");
  const output = fields.base64("hash", argon2Output);
  fields.end();
  return argon2Hash(fields, { type, version, m, t, p, salt, output });
}

export const argon2Salt = { least: 8, most: 64 };
export const argon2Output = { least: 16, most: 64 };

export const argon2Readers: readonly Reader[] = (["i", "d", "id"] as const).flatMap((type): Reader[] => {
  const scheme = `argon2${type}`;
  const read = (fields: Fields) => readPhc(fields, type);
  // Django writes the name of its hasher in front of the PHC string.
  return [`$${scheme}$`, `argon2$${scheme}$`].map((prefix) => ({ prefix, scheme, read }));
});
