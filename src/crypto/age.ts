/** Encrypts and decrypts files in the format of `age` (C2SP age v1, https://c2sp.org/age). */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from "node:crypto";

/** `recipient` is a public key `age1…`, and `identity` its private key `AGE-SECRET-KEY-1…`. */
export type AgeLock = { readonly passphrase: string } | { readonly recipient: string };
export type AgeKey = { readonly passphrase: string } | { readonly identity: string };

/** The message of this error contains no part of the file or the key. */
export class AgeError extends Error {}

function refuse(why: string): never {
  throw new AgeError(why);
}

export const ageMagic = "age-encryption.org/v1\n";

const chunk = 65_536;
const tag = 16;
const longestHeader = 16_384;
/**
 * Base-2 logarithms of scrypt's cost N: for new files (256 MiB of memory, about a second), and the maximum
 * for decryption (1 GiB of memory).
 */
const usualWork = 18;
const mostWork = 20;

const label = (name: string) => `age-encryption.org/v1/${name}`;
const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "");

function fromBase64(text: string, bytes: number): Buffer {
  const found = Buffer.from(text, "base64");
  if (found.length !== bytes || toBase64(found) !== text) throw new AgeError("the header is malformed");
  return found;
}

const hkdf = (key: Uint8Array, salt: Uint8Array, info: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, info, 32));

function encrypt(key: Buffer, nonce: Buffer, plaintext: Buffer): Buffer {
  const cipher = createCipheriv("chacha20-poly1305", key, nonce, { authTagLength: tag });
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.length < tag) return undefined;
  const decipher = createDecipheriv("chacha20-poly1305", key, nonce, { authTagLength: tag });
  decipher.setAuthTag(sealed.subarray(sealed.length - tag));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - tag)), decipher.final()]);
  } catch {
    return undefined;
  }
}

const zeros = Buffer.alloc(12);

function passphraseKey(passphrase: string, salt: Buffer, work: number): Promise<Buffer> {
  const N = 2 ** work;
  const options = { N, r: 8, p: 1, maxmem: 2 ** 10 * N + 2 ** 20 };
  return new Promise((resolve, reject) => {
    const whole = Buffer.concat([Buffer.from(label("scrypt")), salt]);
    scrypt(passphrase, whole, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** DER prefixes of a raw 32-byte X25519 key (RFC 8410). */
const spki = Buffer.from("302a300506032b656e032100", "hex");
const pkcs8 = Buffer.from("302e020100300506032b656e04220420", "hex");
const publicOf = (raw: Buffer) =>
  createPublicKey({ key: Buffer.concat([spki, raw]), format: "der", type: "spki" });
const rawOf = (key: KeyObject): Buffer => key.export({ format: "der", type: "spki" }).subarray(spki.length);

function sharedKey(privateKey: KeyObject, publicKey: KeyObject, salt: Buffer): Buffer | undefined {
  try {
    return hkdf(diffieHellman({ privateKey, publicKey }), salt, label("X25519"));
  } catch {
    // `diffieHellman` throws for public keys of low order, for which the shared secret would be zero.
    return undefined;
  }
}

/** Returns the 32 bytes of a public key `age1…`; undefined for any other string. */
export function recipientBytes(text: string): Buffer | undefined {
  const bytes = decodeBech32("age", text);
  return bytes?.length === 32 ? bytes : undefined;
}

async function stanza(lock: AgeLock, fileKey: Buffer, work: number): Promise<string> {
  if ("passphrase" in lock) {
    const salt = randomBytes(16);
    const wrapped = encrypt(await passphraseKey(lock.passphrase, salt, work), zeros, fileKey);
    return `-> scrypt ${toBase64(salt)} ${work}\n${toBase64(wrapped)}\n`;
  }
  const recipient = recipientBytes(lock.recipient);
  if (recipient === undefined) throw new AgeError("the recipient is not a key such as age1…");
  const { privateKey, publicKey } = generateKeyPairSync("x25519");
  const share = rawOf(publicKey);
  const key = sharedKey(privateKey, publicOf(recipient), Buffer.concat([share, recipient]));
  if (key === undefined) throw new AgeError("the recipient is not a key such as age1…");
  return `-> X25519 ${toBase64(share)}\n${toBase64(encrypt(key, zeros, fileKey))}\n`;
}

const macOf = (fileKey: Buffer, header: string): Buffer =>
  createHmac("sha256", hkdf(fileKey, Buffer.alloc(0), "header"))
    .update(header)
    .digest();

function nonceOf(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(counter, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** A piece is empty only if there are no bytes at all. */
async function* pieces(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ readonly piece: Buffer; readonly isLast: boolean }> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const more of bytes) {
    waiting = Buffer.concat([waiting, more]);
    while (waiting.length > size) {
      yield { piece: waiting.subarray(0, size), isLast: false };
      waiting = waiting.subarray(size);
    }
  }
  yield { piece: waiting, isLast: true };
}

/** Yields the encrypted file in pieces. Throws an AgeError if `recipient` is not a valid public key. */
export async function* sealFile(
  plaintext: AsyncIterable<Uint8Array>,
  lock: AgeLock,
  { work = usualWork }: { readonly work?: number } = {},
): AsyncGenerator<Buffer> {
  const fileKey = randomBytes(16);
  const header = `${ageMagic}${await stanza(lock, fileKey, work)}---`;
  const salt = randomBytes(16);
  yield Buffer.concat([Buffer.from(`${header} ${toBase64(macOf(fileKey, header))}\n`), salt]);
  const key = hkdf(fileKey, salt, "payload");
  let counter = 0;
  for await (const { piece, isLast } of pieces(plaintext, chunk)) {
    yield encrypt(key, nonceOf(counter, isLast), piece);
    counter += 1;
  }
}

async function unwrap(header: string, key: AgeKey): Promise<Buffer | undefined> {
  const lines = header.slice(ageMagic.length).split("\n");
  for (let at = 0; at + 1 < lines.length; at += 1) {
    const [arrow, kind, first = "", second = ""] = (lines[at] ?? "").split(" ");
    if (arrow !== "->") continue;
    const body = lines[at + 1] ?? "";
    if (kind === "scrypt" && "passphrase" in key) {
      const work = /^[1-9]\d?$/.test(second) ? Number(second) : Number.NaN;
      if (!(work <= mostWork))
        throw new AgeError(
          `deriving the key from the passphrase would take more than 2^${mostWork} iterations`,
        );
      const wrapping = await passphraseKey(key.passphrase, fromBase64(first, 16), work);
      return decrypt(wrapping, zeros, fromBase64(body, 16 + tag));
    }
    if (kind === "X25519" && "identity" in key) {
      const secret = decodeBech32("age-secret-key-", key.identity.trim().toLowerCase());
      if (secret?.length !== 32) throw new AgeError("the identity is not a key such as AGE-SECRET-KEY-1…");
      const privateKey = createPrivateKey({
        key: Buffer.concat([pkcs8, secret]),
        format: "der",
        type: "pkcs8",
      });
      const share = fromBase64(first, 32);
      const salt = Buffer.concat([share, rawOf(createPublicKey(privateKey))]);
      const wrapping = sharedKey(privateKey, publicOf(share), salt);
      const fileKey = wrapping && decrypt(wrapping, zeros, fromBase64(body, 16 + tag));
      if (fileKey !== undefined) return fileKey;
    }
  }
  return undefined;
}

/**
 * Yields the decrypted file in pieces. Throws an AgeError if the key is wrong or the file was altered or
 * truncated, possibly after yielding the pieces before the damage.
 */
export async function* openFile(sealed: AsyncIterable<Uint8Array>, key: AgeKey): AsyncGenerator<Buffer> {
  const source = sealed[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let ends = -1;
  while (ends < 0) {
    const { value, done } = await source.next();
    if (done || head.length > longestHeader) throw new AgeError("the header is malformed");
    head = Buffer.concat([head, value]);
    const mark = head.indexOf("\n--- ");
    ends = mark < 0 ? -1 : head.indexOf("\n", mark + 1);
  }
  const text = head.subarray(0, ends).toString("latin1");
  const cut = text.lastIndexOf("\n--- ");
  const header = text.slice(0, cut + 4);
  if (!text.startsWith(ageMagic)) throw new AgeError("the header is malformed");
  const fileKey: Buffer =
    (await unwrap(header, key)) ?? refuse("the passphrase or key does not open this file");
  if (!timingSafeEqual(macOf(fileKey, header), fromBase64(text.slice(cut + 5), 32)))
    throw new AgeError("the header was altered");

  async function* rest(): AsyncGenerator<Uint8Array> {
    yield head.subarray(ends + 1);
    for (;;) {
      const { value, done } = await source.next();
      if (done) return;
      yield value;
    }
  }
  let payloadKey: Buffer | undefined;
  let waiting: Buffer = Buffer.alloc(0);
  async function* payload(): AsyncGenerator<Uint8Array> {
    for await (const more of rest()) {
      if (payloadKey !== undefined) yield more;
      else {
        waiting = Buffer.concat([waiting, more]);
        if (waiting.length < 16) continue;
        payloadKey = hkdf(fileKey, waiting.subarray(0, 16), "payload");
        yield waiting.subarray(16);
      }
    }
  }
  let counter = 0;
  for await (const { piece, isLast } of pieces(payload(), chunk + tag)) {
    const opened = payloadKey && decrypt(payloadKey, nonceOf(counter, isLast), piece);
    if (opened === undefined) throw new AgeError("the file was altered or cut short");
    counter += 1;
    yield opened;
  }
}

/** Bech32, in which age keys are encoded (BIP 173, but without its length limit). */

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const checksumLength = 6;

function checksum(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [index, generator] of generators.entries()) if ((top >> index) & 1) sum ^= generator;
  }
  return sum >>> 0;
}

/** Returns the bytes of a lower-case Bech32 string with this prefix; undefined for any other string. */
export function decodeBech32(prefix: string, text: string): Buffer | undefined {
  if (!text.startsWith(`${prefix}1`)) return undefined;
  const digits = Array.from(text.slice(prefix.length + 1), (digit) => alphabet.indexOf(digit));
  if (digits.length < checksumLength || digits.includes(-1)) return undefined;
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  if (checksum([...expanded, ...digits]) !== 1) return undefined;
  const bits = digits
    .slice(0, -checksumLength)
    .flatMap((digit) => [16, 8, 4, 2, 1].map((bit) => digit & bit));
  const bytes: number[] = [];
  for (let at = 0; at + 8 <= bits.length; at += 8)
    bytes.push(bits.slice(at, at + 8).reduce((byte, bit) => byte * 2 + (bit > 0 ? 1 : 0), 0));
  const padding = bits.slice(bytes.length * 8);
  return padding.length < 5 && padding.every((bit) => bit === 0) ? Buffer.from(bytes) : undefined;
}
