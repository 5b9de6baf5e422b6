import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AgeError, type AgeKey, decodeBech32, openFile, sealFile } from "../../src/crypto/age.ts";

const line = '{"external_id":"1","email":"ada@example.com"}\n';
const passphrase = "a passphrase of the test";
const identity = "AGE-SECRET-KEY-1KFCZU8QCUN3GE8T7RZ00M0NMPZQQY5PKRJP9FVN5ULFHS56SJLHSRDQAVF";
const recipient = "age1typchku87lskaepnja8q86h8ctcyas0eu9pq92mc8j2cw3kskymsem0upu";

/**
 * Files that age-encryption 0.2, by the authors of age, encrypted with the passphrase and for the recipient.
 */
const sealedElsewhere: readonly [string, AgeKey][] = [
  [
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBaVDRiRUZKQThTR2taYy8wNG4zcGtRIDEwCitMTFZrMmpMYnRJQlM3Tk9TeHV6dFEwK1dmcUlTZE1sWWRjN0phUTBZU0EKLS0tIFNXd3dnMHNPOHB1b0c2b3c3SFpJUUhQMms0SUNIMFVFQTA2aFlSS3IyU1kKfBUUzI8TqSZhdsj1LBtpvrk0kqqkTgdm+K5QQjP9kTfj22f3jdzTld6H9jQganc4ktXoRaQUcNvsrXDLwUPEx8QzsDhF9NWQmthQOyUl",
    { passphrase },
  ],
  [
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSB6UWJuMUFXaFEwY2gyQWpuRi9xd1prajR6TUpGaGtkMWJidUtwcHZobVMwCjMzQVd5YXpDNHRQdEJNVFdQaVh4VFNNRUVINkkyL3QxTUNnV0tidUNYeVkKLS0tIDVSWnNKM3JvUHk5bHU2V2RDKzg2YUF1SUx5ZlViTTQ2c2gzNHRzY2VzRGcKy3EabdUZywlQOjQ+hF3EjyzdDMmqnXl8eacPETehDfbroUB4oI4BpeOF4W8qKlSti4dBqfOaP1fdO683p/UF0Wi59xs3UcuRlYztU+MR",
    { identity },
  ],
];

async function* piecesOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function whole(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

const opened = (bytes: Uint8Array, key: AgeKey, size = 1000) => whole(openFile(piecesOf(bytes, size), key));
const locks = [
  [{ passphrase }, { passphrase }],
  [{ recipient }, { identity }],
] as const;

describe("files encrypted in the age format", () => {
  test("MG-10: files from another age implementation are decrypted, whatever the size of the input chunks", async () => {
    for (const [text, key] of sealedElsewhere)
      for (const size of [1, 7, 1000]) {
        const bytes = Buffer.from(text, "base64");
        assert.equal((await opened(bytes, key, size)).toString(), line);
      }
  });

  test("MG-10: encrypted data decrypts unchanged, even if the input is split at a chunk's edge", async () => {
    for (const [lock, key] of locks)
      for (const length of [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]) {
        const plaintext = Buffer.alloc(length, "postern ");
        const sealed = await whole(sealFile(piecesOf(plaintext, 999), lock, { work: 4 }));
        assert.ok(!sealed.includes("postern "));
        assert.deepEqual(await opened(sealed, key, 4096), plaintext);
      }
  });

  test("MG-10: an altered or truncated file and a wrong key are refused", async () => {
    for (const [lock, key] of locks) {
      const sealed = await whole(sealFile(piecesOf(Buffer.alloc(70_000, "x"), 999), lock, { work: 4 }));
      const refused = (bytes: Uint8Array, by: AgeKey = key) => assert.rejects(opened(bytes, by), AgeError);
      for (let at = 0; at < 400; at += 3) {
        const altered = Buffer.from(sealed);
        altered[at] = (altered[at] ?? 0) ^ 1;
        await refused(altered);
      }
      // Files that end in the last chunk, in the last byte or earlier.
      for (const end of [sealed.length - 1, sealed.length - 4480, 300, 40, 0])
        await refused(sealed.subarray(0, end));
      await refused(Buffer.concat([sealed, Buffer.from("x")]));
      await refused(sealed, { passphrase: "another" });
      await refused(sealed, { identity: identity.replace("KFCZ", "KFCY") });
    }
    const costly = Buffer.from(
      `age-encryption.org/v1\n-> scrypt ${"A".repeat(22)} 40\n${"A".repeat(43)}\n--- x\n`,
    );
    await assert.rejects(opened(costly, { passphrase }), /take more than/);
    await assert.rejects(whole(sealFile(piecesOf(Buffer.alloc(1), 1), { recipient: "age1x" })), AgeError);
    assert.equal(decodeBech32("age", recipient.replace("typ", "tyq")), undefined);
  });
});
