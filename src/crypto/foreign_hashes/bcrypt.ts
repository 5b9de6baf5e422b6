/**
 * Reads bcrypt hashes, including those over a digest of the password, which avoid bcrypt's limit of 72 bytes.
 */
import { createHash, createHmac } from "node:crypto";
import { derivedHash, type Fields, type ForeignHash, type Reader } from "./foreign_hash.ts";
import { hashInThread } from "./hash_thread.ts";

/** `salt` is encoded as in the hash string. */
type Prehash = (password: Buffer, salt: string) => Buffer;

const longestBcrypt = 72;
const cost = { least: 4, most: 14 };

const digits = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Clears the unused bits of the last base64 digit, which some programs set. */
function exact(text: string, unusedBits: number): string {
  const last = digits.indexOf(text.slice(-1));
  return text.slice(0, -1) + digits.charAt((last >> unusedBits) << unusedBits);
}

function takeWhole(fields: Fields, part: string, length: number): string {
  const found = fields.take(part, new RegExp(`[./A-Za-z0-9]{${length}}|[./A-Za-z0-9]*$`, "y"));
  return found.length === length ? found : fields.refuse(part, "is too short: the hash is incomplete");
}

function bcryptOf(
  fields: Fields,
  prehash: Prehash | undefined,
  {
    rounds,
    begin,
    isSeparated = false,
  }: { rounds: number; begin: (salt: string) => string; isSeparated?: boolean },
): ForeignHash {
  const salt = exact(takeWhole(fields, "salt", 22), 4);
  if (isSeparated) fields.expect("$");
  const written = exact(takeWhole(fields, "hash", 31), 2);
  fields.end();
  return derivedHash({
    scheme: fields.scheme,
    spell: (hash) => begin(salt) + hash,
    written,
    output: Buffer.from(written),
    derive: async (password) => {
      const setting = `$2b$${String(rounds).padStart(2, "0")}$${salt}`;
      const bytes = prehash?.(password, salt) ?? password;
      return Buffer.from((await hashInThread({ scheme: "bcrypt", password: bytes, setting })).slice(-31));
    },
    ...(prehash === undefined ? { longest: longestBcrypt, ends_at_nul: true } : {}),
  });
}

function readModular(fields: Fields, begin: string, prehash?: Prehash): ForeignHash {
  // Version `2x` is not accepted: due to a bug in the program that created such hashes, several passwords
  // match one hash.
  const version = fields.take("version", /2[aby](?=\$)/y);
  fields.expect("$");
  const padded = fields.take("cost", /\d\d(?=\$)/y);
  const rounds = Number(padded);
  if (rounds < cost.least || rounds > cost.most)
    fields.refuse("cost", `is not between ${cost.least} and ${cost.most}`);
  fields.expect("$");
  return bcryptOf(fields, prehash, { rounds, begin: (salt) => `${begin}${version}$${padded}$${salt}` });
}

function readPasslib(fields: Fields): ForeignHash {
  const isSecond = fields.skip("v=2,t=");
  const version = fields.take("version", /2[ab](?=,)/y);
  fields.expect(isSecond ? ",r=" : ",");
  const rounds = fields.number("cost", cost);
  fields.expect("$");
  if (isSecond) {
    const begin = (salt: string) => `$bcrypt-sha256$v=2,t=${version},r=${rounds}$${salt}$`;
    return bcryptOf(fields, keyedBySalt, { rounds, begin, isSeparated: true });
  }
  const padded = String(rounds).padStart(2, "0");
  const named = { ...fields, scheme: "bcrypt-sha256-base64" };
  const begin = (salt: string) => `$bcrypt-sha256-base64$${version}$${padded}$${salt}`;
  return bcryptOf(named, digested("sha256", "base64"), { rounds, begin, isSeparated: true });
}

const keyedBySalt: Prehash = (password, salt) =>
  Buffer.from(createHmac("sha256", salt).update(password).digest("base64"));

const digested =
  (algorithm: string, encoding: "hex" | "base64"): Prehash =>
  (password) =>
    Buffer.from(createHash(algorithm).update(password).digest(encoding));

/** The digest to which `wp_hash_password` of WordPress 6.8 applies bcrypt. */
const wordpress: Prehash = (password) =>
  Buffer.from(createHmac("sha384", "wp-sha384").update(password).digest("base64"));

const prehashes: Reader[] = (["sha256", "sha512"] as const).flatMap((algorithm) =>
  (["hex", "base64"] as const).map((encoding) => {
    const scheme = `bcrypt-${algorithm}-${encoding}`;
    const prefix = `$${scheme}$`;
    return { prefix, scheme, read: (fields) => readModular(fields, prefix, digested(algorithm, encoding)) };
  }),
);

export const bcryptReaders: readonly Reader[] = [
  { prefix: "$2", passed: 1, scheme: "bcrypt", read: (fields) => readModular(fields, "$") },
  { prefix: "bcrypt$$", scheme: "bcrypt", read: (fields) => readModular(fields, "$") },
  {
    prefix: "bcrypt_sha256$$",
    scheme: "bcrypt-sha256-hex",
    read: (fields) => readModular(fields, "$bcrypt-sha256-hex$", digested("sha256", "hex")),
  },
  { prefix: "$bcrypt-sha256$", scheme: "bcrypt-sha256", read: readPasslib },
  ...prehashes,
  { prefix: "$wp$", scheme: "wordpress", read: (fields) => readModular(fields, "$wp$", wordpress) },
];
