/**
 * Reads PBKDF2 hashes (RFC 8018, section 5.2) of Ory Kratos, passlib, Django, Werkzeug and ASP.NET Identity.
 */
import { pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import {
  derivedHash,
  type Fields,
  type ForeignHash,
  outputSize,
  type Reader,
  saltSize,
  unpadded,
} from "./foreign_hash.ts";

const derive = promisify(pbkdf2);

const algorithms = { sha1: 20, sha256: 32, sha512: 64 };
type Algorithm = keyof typeof algorithms;

const mostIterations = 2_000_000;

export const iterationsOf = (fields: Fields): number =>
  fields.number("iterations", { least: 1, most: mostIterations });

/** Returns the verifiable hash. Throws a ForeignHashError if it needs more than `mostIterations`. */
export function pbkdf2Hash(
  fields: Fields,
  algorithm: Algorithm,
  parts: { readonly iterations: number; readonly salt: Buffer; readonly output: Buffer },
): ForeignHash {
  const { iterations, salt, output } = parts;
  const digests = iterations * Math.ceil(output.length / algorithms[algorithm]);
  if (digests > mostIterations)
    fields.refuse("hash", `needs more than ${mostIterations} iterations in total`);
  const scheme = `pbkdf2-${algorithm}`;
  const begin = `$${scheme}$i=${iterations},l=${output.length}$${unpadded(salt)}$`;
  return derivedHash({
    scheme,
    digests,
    spell: (hash) => begin + hash,
    output,
    derive: (password) => derive(password, salt, iterations, output.length, algorithm),
  });
}

function readPhc(fields: Fields, algorithm: Algorithm): ForeignHash {
  const isNamed = fields.skip("i=");
  const iterations = iterationsOf(fields);
  const length = isNamed && fields.skip(",l=") ? fields.number("length", outputSize) : undefined;
  fields.expect("$");
  const salt = fields.base64("salt", saltSize);
  fields.expect("$");
  const output = fields.base64("hash", outputSize);
  fields.end();
  if (length !== undefined && length !== output.length)
    fields.refuse("hash", "does not have the stated length");
  return pbkdf2Hash(fields, algorithm, { iterations, salt, output });
}

function readWithTextSalt(fields: Fields, algorithm: Algorithm, encoding: "hex" | "base64"): ForeignHash {
  const iterations = iterationsOf(fields);
  fields.expect("$");
  const salt = fields.textSalt();
  fields.expect("$");
  const output = fields[encoding]("hash", outputSize);
  fields.end();
  return pbkdf2Hash(fields, algorithm, { iterations, salt, output });
}

const identityLengths = { v2: { salt: 16, output: 32, iterations: 1000 }, header: 13 };

function readIdentity(fields: Fields): ForeignHash {
  const bytes = fields.base64("blob", {
    least: 32,
    most: identityLengths.header + saltSize.most + outputSize.most,
  });
  fields.end();
  if (bytes[0] === 0) {
    const { salt, output, iterations } = identityLengths.v2;
    if (bytes.length !== 1 + salt + output) fields.refuse("blob", "does not have the length of its version");
    const parts = { iterations, salt: bytes.subarray(1, 1 + salt), output: bytes.subarray(1 + salt) };
    return pbkdf2Hash(fields, "sha1", parts);
  }
  const [digest = 0, iterations = 0, saltLength = 0] = [1, 5, 9].map((place) => bytes.readUInt32BE(place));
  const algorithm = (["sha1", "sha256", "sha512"] as const)[digest];
  if (bytes[0] !== 1 || algorithm === undefined) return fields.refuse("blob", "has an unknown version");
  const salt = bytes.subarray(identityLengths.header, identityLengths.header + saltLength);
  const output = bytes.subarray(identityLengths.header + saltLength);
  if (output.length < outputSize.least || output.length > outputSize.most || salt.length > saltSize.most)
    fields.refuse("blob", "does not have the stated length");
  if (iterations < 1 || iterations > mostIterations)
    fields.refuse("iterations", `are not between 1 and ${mostIterations}`);
  return pbkdf2Hash(fields, algorithm, { iterations, salt, output });
}

export const pbkdf2Readers: readonly Reader[] = [
  { prefix: "$pbkdf2$", scheme: "pbkdf2-sha1", read: (fields) => readPhc(fields, "sha1") },
  ...(["sha1", "sha256", "sha512"] as const).flatMap((algorithm): Reader[] => {
    const scheme = `pbkdf2-${algorithm}`;
    return [
      { prefix: `$${scheme}$`, scheme, read: (fields) => readPhc(fields, algorithm) },
      {
        prefix: `pbkdf2_${algorithm}$`,
        scheme,
        read: (fields) => readWithTextSalt(fields, algorithm, "base64"),
      },
      {
        prefix: `pbkdf2:${algorithm}:`,
        scheme,
        read: (fields) => readWithTextSalt(fields, algorithm, "hex"),
      },
    ];
  }),
  // The prefixes are base64 of the first bytes. ASP.NET Identity version 3 begins with the byte 1 and the
  // number of the digest (four bytes), version 2 with the byte 0.
  { prefix: "AQAAAA", passed: 0, scheme: "asp-net-identity-v3", read: readIdentity },
  { prefix: "A", passed: 0, scheme: "asp-net-identity-v2", read: readIdentity },
];
