/** Reads hashes that consist of a single digest or HMAC, such as those of LDAP (RFC 2307). */
import { createHash, createHmac } from "node:crypto";
import {
  derivedHash,
  type Fields,
  type ForeignHash,
  type Reader,
  saltSize,
  unpadded,
} from "./foreign_hash.ts";

const sizes = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };
type Algorithm = keyof typeof sizes;
const algorithms = Object.keys(sizes) as Algorithm[];

const exactly = (size: number) => ({ least: size, most: size });

const placeholders = /(\{SALT\}|\{PASSWORD\})/;
const longestTemplate = 128;

function digestHash(algorithm: Algorithm, template: string, salt: Buffer, output: Buffer): ForeignHash {
  const parts = template.split(placeholders);
  const format = Buffer.from(template);
  const isPlain = template === "{PASSWORD}" && salt.length === 0;
  const begin = isPlain ? "" : `pf=${unpadded(format)}$${unpadded(salt)}$`;
  return derivedHash({
    scheme: algorithm,
    digests: 1,
    spell: (hash) => `$${algorithm}$${begin}${hash}`,
    output,
    async derive(password) {
      const digest = createHash(algorithm);
      for (const part of parts)
        digest.update(part === "{SALT}" ? salt : part === "{PASSWORD}" ? password : Buffer.from(part));
      return digest.digest();
    },
  });
}

/** Reads a digest in the format of Ory Kratos, in base64: `hash`, or `pf=template$salt$hash`. */
function readDigest(fields: Fields, algorithm: Algorithm): ForeignHash {
  const isSalted = fields.skip("pf=");
  const template = isSalted
    ? fields.base64("template", { least: 1, most: longestTemplate }).toString()
    : "{PASSWORD}";
  const parts = template.split(placeholders);
  if (!parts.includes("{PASSWORD}")) fields.refuse("template", "has no {PASSWORD}");
  // Four placeholders split a template into nine parts.
  if (parts.length > 9) fields.refuse("template", "has more than four placeholders");
  if (isSalted) fields.expect("$");
  const salt = isSalted ? fields.base64("salt", saltSize) : Buffer.alloc(0);
  if (isSalted) fields.expect("$");
  const output = fields.base64("hash", exactly(sizes[algorithm]));
  fields.end();
  return digestHash(algorithm, template, salt, output);
}

function readLdap(fields: Fields, algorithm: Algorithm): ForeignHash {
  const size = sizes[algorithm];
  const bytes = fields.base64("hash", { least: size, most: size + saltSize.most });
  fields.end();
  const salt = bytes.subarray(size);
  const template = salt.length === 0 ? "{PASSWORD}" : "{PASSWORD}{SALT}";
  return digestHash(algorithm, template, salt, bytes.subarray(0, size));
}

/** Reads an HMAC in the format of Ory Kratos: `hash$key`, both in base64. */
function readHmac(fields: Fields, algorithm: Algorithm): ForeignHash {
  const size = sizes[algorithm];
  const isUtf16 = fields.skip("e=utf16le$");
  const said = fields.base64("hash", { least: size, most: 2 * size });
  const isHex = said.length === 2 * size && /^[0-9a-f]*$/.test(said.toString("latin1"));
  const output = isHex ? Buffer.from(said.toString("latin1"), "hex") : said;
  if (output.length !== size) fields.refuse("hash", `is not ${size} bytes long`);
  fields.expect("$");
  const key = fields.base64("key", saltSize);
  fields.end();
  const begin = `$hmac-${algorithm}$${isUtf16 ? "e=utf16le$" : ""}`;
  return derivedHash({
    scheme: fields.scheme,
    digests: 2,
    spell: (hash) => `${begin}${hash}$${unpadded(key)}`,
    output,
    derive: async (password) =>
      createHmac(algorithm, key)
        .update(isUtf16 ? Buffer.from(password.toString(), "utf16le") : password)
        .digest(),
  });
}

const ldapNames: readonly (readonly [string, Algorithm])[] = [
  ["MD5", "md5"],
  ["SMD5", "md5"],
  ["SHA", "sha1"],
  ["SSHA", "sha1"],
  ["SHA256", "sha256"],
  ["SSHA256", "sha256"],
  ["SHA512", "sha512"],
  ["SSHA512", "sha512"],
];

export const digestReaders: readonly Reader[] = [
  ...algorithms.flatMap((algorithm): Reader[] => [
    { prefix: `$${algorithm}$`, scheme: algorithm, read: (fields) => readDigest(fields, algorithm) },
    {
      prefix: `$hmac-${algorithm}$`,
      scheme: `hmac-${algorithm}`,
      read: (fields) => readHmac(fields, algorithm),
    },
  ]),
  ...ldapNames.map(
    ([name, algorithm]): Reader => ({
      prefix: `{${name}}`,
      scheme: algorithm,
      read: (fields) => readLdap(fields, algorithm),
    }),
  ),
];
