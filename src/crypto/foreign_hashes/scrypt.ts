/** Reads scrypt hashes (RFC 7914), including Firebase's variant. */
import { createCipheriv, type ScryptOptions, scrypt } from "node:crypto";
import {
  derivedHash,
  type Fields,
  type ForeignHash,
  outputSize,
  type Reader,
  saltSize,
  unpadded,
} from "./foreign_hash.ts";

interface Cost {
  /** The base-2 logarithm of scrypt's cost N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/**
 * Limits in blocks of 128 bytes: `mostBlocks` for all blocks that a hash writes, and `mostHeld` for those in
 * memory at once (256 MiB).
 */
const mostBlocks = 2 ** 20 * 8;
const mostHeld = 2 ** 18 * 8;

function affordable(fields: Fields, { ln, r, p }: Cost): Cost {
  const held = 2 ** ln * r;
  if (held > mostHeld || held * p > mostBlocks) fields.refuse("cost", "exceeds the limit");
  // N must be less than 2^(16r) (RFC 7914, section 6).
  if (ln >= 16 * r) fields.refuse("cost", "has an N that is too large for its r");
  return { ln, r, p };
}

const size = { least: 1, most: 1024 };
const logarithm = { least: 1, most: 20 };

function readCost(fields: Fields): Cost {
  fields.expect("ln=");
  const ln = fields.number("ln", logarithm);
  fields.expect(",r=");
  const r = fields.number("r", size);
  fields.expect(",p=");
  const p = fields.number("p", size);
  fields.expect("$");
  return affordable(fields, { ln, r, p });
}

function logarithmOf(fields: Fields): number {
  const ln = Math.log2(fields.number("N", { least: 2, most: 2 ** logarithm.most }));
  return Number.isInteger(ln) ? ln : fields.refuse("N", "is not a power of two");
}

function derive(password: Buffer, salt: Buffer, length: number, { ln, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** ln;
  const options: ScryptOptions = { N, r, p, maxmem: 128 * r * (N + p + 2) };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, output) => (error ? reject(error) : resolve(output)));
  });
}

const costText = ({ ln, r, p }: Cost): string => `ln=${ln},r=${r},p=${p}`;

function scryptHash(fields: Fields, cost: Cost, salt: Buffer, output: Buffer): ForeignHash {
  fields.end();
  return derivedHash({
    scheme: fields.scheme,
    spell: (hash) => `$scrypt$${costText(cost)}$${unpadded(salt)}$${hash}`,
    output,
    derive: (password) => derive(password, salt, output.length, cost),
  });
}

function readPhc(fields: Fields): ForeignHash {
  const cost = readCost(fields);
  const salt = fields.base64("salt", saltSize);
  fields.expect("$");
  return scryptHash(fields, cost, salt, fields.base64("hash", outputSize));
}

function readWerkzeug(fields: Fields): ForeignHash {
  const ln = logarithmOf(fields);
  fields.expect(":");
  const r = fields.number("r", size);
  fields.expect(":");
  const p = fields.number("p", size);
  fields.expect("$");
  const cost = affordable(fields, { ln, r, p });
  const salt = fields.textSalt();
  fields.expect("$");
  return scryptHash(fields, cost, salt, fields.hex("hash", outputSize));
}

function readDjango(fields: Fields): ForeignHash {
  const ln = logarithmOf(fields);
  fields.expect("$");
  const salt = fields.textSalt();
  fields.expect("$");
  const r = fields.number("r", size);
  fields.expect("$");
  const p = fields.number("p", size);
  fields.expect("$");
  const cost = affordable(fields, { ln, r, p });
  return scryptHash(fields, cost, salt, fields.base64("hash", outputSize));
}

/**
 * scrypt derives a key from the password; the hash is the project's signer key, encrypted with that key. `ln`
 * is Firebase's `mem_cost`, and `r` its `rounds`.
 */
function readFirebase(fields: Fields): ForeignHash {
  const cost = readCost(fields);
  const salt = fields.base64("salt", saltSize);
  fields.expect("$");
  const output = fields.base64("hash", outputSize);
  fields.expect("$");
  const separator = fields.base64("salt separator", saltSize);
  fields.expect("$");
  const signerKey = fields.base64("signer key", { least: output.length, most: output.length });
  fields.end();
  const begin = `$firescrypt$${costText(cost)}$${unpadded(salt)}$`;
  return derivedHash({
    scheme: fields.scheme,
    spell: (hash) => `${begin}${hash}$${unpadded(separator)}$${unpadded(signerKey)}`,
    output,
    async derive(password) {
      const key = await derive(password, Buffer.concat([salt, separator]), 32, cost);
      return createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(signerKey);
    },
  });
}

export const scryptReaders: readonly Reader[] = [
  { prefix: "$scrypt$", scheme: "scrypt", read: readPhc },
  { prefix: "scrypt:", scheme: "scrypt", read: readWerkzeug },
  { prefix: "scrypt$", scheme: "scrypt", read: readDjango },
  { prefix: "$firescrypt$", scheme: "firescrypt", read: readFirebase },
];
