/** Responses of authenticators are verified completely (WebAuthn sections 7.1 and 7.2). */
import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type ChallengeUse, newChallenge, readChallenge } from "../../src/crypto/passkey_challenge.ts";
import { isPasskeyRefusal, type PasskeyError, refusePasskey } from "../../src/crypto/passkey_refusals.ts";
import {
  type Assertion,
  readAssertion,
  verifyAssertion,
  verifyRegistration,
} from "../../src/crypto/passkeys.ts";
import { sealer } from "../../src/crypto/sealing.ts";
import {
  type AnswerJson,
  type AuthenticatorOptions,
  type Changes,
  coseKey,
  flag,
  softwareAuthenticator,
} from "../support/authenticator.ts";

const rp_id = "id.example.com";
const origin = "https://id.example.com";
const challenge = randomBytes(32).toString("base64url");
const expected = { challenge, origins: [origin], rp_id, require_uv: true };

const authenticator = (options: Partial<AuthenticatorOptions> = {}) =>
  softwareAuthenticator({ rp_id, origin, ...options });

type Authenticator = ReturnType<typeof authenticator>;

async function registered(device: Authenticator, changes?: Changes) {
  const passkey = await verifyRegistration(JSON.stringify(device.register(challenge, changes)), {
    ...expected,
    require_uv: false,
  });
  assert.ok(!isPasskeyRefusal(passkey), JSON.stringify(passkey));
  return passkey;
}

function read(answer: AnswerJson): Assertion {
  const assertion = readAssertion(JSON.stringify(answer));
  assert.ok(!isPasskeyRefusal(assertion));
  return assertion;
}

/** Returns a base64url text in which one bit of one byte is flipped; a negative index counts from the end. */
function bitOff(text: unknown, at: number, bit = 1): string {
  const bytes = Buffer.from(String(text), "base64url");
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ bit;
  return bytes.toString("base64url");
}

/** Returns an answer with members of `response` that were changed after it was signed. */
function altered(answer: AnswerJson, change: (response: Record<string, unknown>) => object): AnswerJson {
  return { ...answer, response: { ...answer.response, ...change(answer.response) } };
}

const rewritten = (text: unknown, change: (clientData: string) => string) =>
  Buffer.from(change(Buffer.from(String(text), "base64url").toString())).toString("base64url");

/** Returns the error of an assertion, wherever it is detected. */
async function assertionError(answer: AnswerJson, device: Authenticator, wishes = expected) {
  const assertion = readAssertion(JSON.stringify(answer));
  if (isPasskeyRefusal(assertion)) return assertion.refused;
  const verified = await verifyAssertion(assertion, wishes, await registered(device));
  return isPasskeyRefusal(verified) ? verified.refused : undefined;
}

async function registrationError(text: string, wishes = expected) {
  const passkey = await verifyRegistration(text, wishes);
  return isPasskeyRefusal(passkey) ? passkey.refused : undefined;
}

describe("the registration of a passkey", () => {
  for (const algorithm of ["EdDSA", "ES256", "RS256"] as const) {
    test(`PK-2 a passkey with ${algorithm} is registered with its properties`, async () => {
      const device = authenticator({ algorithm, synced: true });
      const passkey = await verifyRegistration(JSON.stringify(device.register(challenge)), expected);
      assert.ok(!isPasskeyRefusal(passkey), JSON.stringify(passkey));
      const { public_key, ...rest } = passkey;
      assert.deepEqual(rest, {
        credential_id: device.credential_id,
        algorithm: { EdDSA: -8, ES256: -7, RS256: -257 }[algorithm],
        transports: ["hybrid", "internal"],
        aaguid: "00000000-0000-0000-0000-000000000000",
        backup_eligible: true,
        backed_up: true,
        user_verified: true,
        counter: 0,
      });
      const verified = await verifyAssertion(read(device.assert(challenge)), expected, passkey);
      assert.deepEqual(verified, {
        user_verified: true,
        backed_up: true,
        counter: 0,
        counter_went_back: false,
      });
      assert.match(public_key, /^[A-Za-z0-9_-]{50,}$/);
    });
  }

  const curve384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey.export({ format: "jwk" });
  const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey;
  const key = (changes: Readonly<Record<number, number | Uint8Array>>) => (device: Authenticator) => {
    const members = coseKey("ES256", device.publicKey);
    for (const [label, value] of Object.entries(changes)) members.set(Number(label), value);
    return { public_key: members };
  };
  const bytes384 = (member: "x" | "y") => Buffer.from(curve384[member] ?? "", "base64url");

  const refused: readonly [string, PasskeyError, Changes | ((device: Authenticator) => Changes)][] = [
    ["is an assertion", "type", { client_data: { type: "webauthn.get" } }],
    ["answers another challenge", "challenge", { client_data: { challenge: bitOff(challenge, 0) } }],
    ["has the challenge with padding", "challenge", { client_data: { challenge: `${challenge}=` } }],
    ["comes from another host", "origin", { client_data: { origin: "https://evil.example" } }],
    ["comes from a host below", "origin", { client_data: { origin: "https://x.id.example.com" } }],
    ["comes from another port", "origin", { client_data: { origin: `${origin}:8443` } }],
    ["comes from http", "origin", { client_data: { origin: "http://id.example.com" } }],
    ["has a slash behind the origin", "origin", { client_data: { origin: `${origin}/` } }],
    ["has a list of origins", "origin", { client_data: { origin: [origin] } }],
    ["comes from a frame", "cross_origin", { client_data: { crossOrigin: true } }],
    ["comes from a frame of a page", "cross_origin", { client_data: { topOrigin: origin } }],
    ["is for another host", "rp_id", { rp_id: "example.com" }],
    ["has nobody present", "user_presence", { flags: flag.up }],
    ["has nobody verified", "user_verification", { flags: flag.uv }],
    ["is backed up and may not be", "backup_flags", { flags: flag.bs }],
    ["has no key", "malformed", { flags: flag.at }],
    ["says extensions and has none", "malformed", { flags: flag.ed }],
    ["has bytes behind its end", "malformed", { trailing: Buffer.of(0) }],
    ["has an empty id", "malformed", { credential_id: Buffer.alloc(0) }],
    ["has an id of 1024 bytes", "malformed", { credential_id: Buffer.alloc(1024, 1) }],
    ["has an algorithm that nobody asked for", "algorithm", key({ 3: -35 })],
    ["has a key of another kind", "algorithm", key({ 1: 3 })],
    ["has a key of another curve", "algorithm", key({ [-1]: 2, [-2]: bytes384("x"), [-3]: bytes384("y") })],
    ["has a point that is not on the curve", "algorithm", key({ [-2]: Buffer.alloc(32, 7) })],
    ["has a key without its second half", "algorithm", key({ [-3]: 5 })],
    ["has a short RSA key", "algorithm", () => ({ public_key: coseKey("RS256", short) })],
    ["has a format of its own", "attestation", { format: "fido-u2f", statement: new Map() }],
    ["has no format that exists", "attestation", { format: "mine" }],
    ["has a statement under none", "attestation", { statement: new Map([["sig", Buffer.of(1)]]) }],
    ["has a certificate", "attestation", { self_attested: true, statement: new Map([["x5c", 1]]) }],
    ["has a bad self attestation", "attestation", { format: "packed", statement: new Map([["alg", -7]]) }],
  ];
  for (const [what, error, changes] of refused) {
    test(`PK-2 a registration that ${what} is refused as ${error}`, async () => {
      const device = authenticator();
      const answer = device.register(challenge, typeof changes === "function" ? changes(device) : changes);
      assert.equal(await registrationError(JSON.stringify(answer)), error);
    });
  }

  test("PK-2 a registration under the id of another passkey is refused", async () => {
    const other = authenticator().credential_id;
    const answer = { ...authenticator().register(challenge), id: other, rawId: other };
    assert.equal(await registrationError(JSON.stringify(answer)), "credential_id");
  });

  test("PK-2 self attestation, as browsers may return it, is accepted", async () => {
    assert.equal((await registered(authenticator(), { self_attested: true })).algorithm, -7);
  });

  test("a registration without user verification is accepted if the server does not require it", async () => {
    const passkey = await registered(authenticator({ uv: false }));
    assert.equal(passkey.user_verified, false);
  });

  test("unknown authenticator extensions are ignored", async () => {
    const passkey = await registered(authenticator(), { extensions: new Map([["credProtect", 2]]) });
    assert.equal(passkey.user_verified, true);
  });

  test("only known transports of a passkey are stored", async () => {
    const answer = authenticator().register(challenge);
    for (const [transports, kept] of [
      [["usb", "carrier pigeon", 7, "usb"], ["usb"]],
      ["usb", []],
      [undefined, []],
    ] as const) {
      const text = JSON.stringify(altered(answer, () => ({ transports })));
      const passkey = await verifyRegistration(text, expected);
      assert.deepEqual(isPasskeyRefusal(passkey) ? passkey : passkey.transports, kept);
    }
  });

  test("input that is not a registration is refused as malformed", async () => {
    const answer = authenticator().register(challenge);
    const deep = Buffer.alloc(9000, 0x81).toString("base64url");
    const texts = [
      "",
      "null",
      "[]",
      "{}",
      `{"id":${"[".repeat(5000)}`,
      JSON.stringify({ ...answer, padding: "x".repeat(16_384) }),
      JSON.stringify({ ...answer, type: "password" }),
      JSON.stringify({ ...answer, rawId: "AAAA" }),
      JSON.stringify({ ...answer, id: "A", rawId: "A" }),
      JSON.stringify({ ...answer, response: [] }),
      JSON.stringify(altered(answer, () => ({ clientDataJSON: "e30=" }))),
      JSON.stringify(altered(answer, () => ({ clientDataJSON: "bnVsbA" }))),
      JSON.stringify(altered(answer, () => ({ clientDataJSON: 7 }))),
      JSON.stringify(altered(answer, () => ({ attestationObject: undefined }))),
      JSON.stringify(altered(answer, () => ({ attestationObject: "oA" }))),
      JSON.stringify(altered(answer, () => ({ attestationObject: deep }))),
    ];
    for (const text of texts) assert.equal(await registrationError(text), "malformed", text.slice(0, 80));
  });

  test("random bytes as an attestation are refused with the ordinary error", async () => {
    const answer = authenticator().register(challenge);
    const object = Buffer.from(String(answer.response.attestationObject), "base64url");
    await fc.assert(
      fc.asyncProperty(fc.nat(object.length - 1), fc.uint8Array({ maxLength: 6 }), async (at, bytes) => {
        const changed = Buffer.concat([object.subarray(0, at), bytes, object.subarray(at + bytes.length)]);
        const attestationObject = changed.toString("base64url");
        const text = JSON.stringify(altered(answer, () => ({ attestationObject })));
        const passkey = await verifyRegistration(text, expected);
        assert.ok(isPasskeyRefusal(passkey) || passkey.credential_id === answer.id);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the assertion of a passkey", () => {
  const device = authenticator();

  const resigned: readonly [string, PasskeyError, Changes][] = [
    ["is a registration", "type", { client_data: { type: "webauthn.create" } }],
    ["has no type", "type", { client_data: { type: undefined } }],
    ["answers another challenge", "challenge", { client_data: { challenge: bitOff(challenge, -1) } }],
    ["answers no challenge", "challenge", { client_data: { challenge: "" } }],
    ["has the challenge with padding", "challenge", { client_data: { challenge: `${challenge}=` } }],
    ["comes from another host", "origin", { client_data: { origin: "https://evil.example" } }],
    ["comes from a host below", "origin", { client_data: { origin: "https://x.id.example.com" } }],
    ["comes from the host above", "origin", { client_data: { origin: "https://example.com" } }],
    ["comes from another port", "origin", { client_data: { origin: `${origin}:8443` } }],
    ["comes from http", "origin", { client_data: { origin: "http://id.example.com" } }],
    ["has the origin in capitals", "origin", { client_data: { origin: "https://ID.example.com" } }],
    ["comes from a frame", "cross_origin", { client_data: { crossOrigin: true } }],
    ["comes from a frame, as text", "cross_origin", { client_data: { crossOrigin: "true" } }],
    ["comes from a frame of a page", "cross_origin", { client_data: { topOrigin: origin } }],
    ["is for another host", "rp_id", { rp_id: "example.com" }],
    ["has nobody present", "user_presence", { flags: flag.up }],
    ["has nobody verified", "user_verification", { flags: flag.uv }],
    ["is backed up and may not be", "backup_flags", { flags: flag.bs }],
    ["may suddenly be backed up", "backup_eligible_changed", { flags: flag.be }],
    ["may suddenly be backed up and is", "backup_eligible_changed", { flags: flag.be | flag.bs }],
    ["says that it has a key", "malformed", { flags: flag.at }],
    ["has a key", "malformed", { with_key: true }],
    ["says extensions and has none", "malformed", { flags: flag.ed }],
    ["has bytes behind its end", "malformed", { trailing: Buffer.of(0) }],
    ["comes from another passkey", "credential_id", { credential_id: Buffer.alloc(32, 1) }],
  ];
  for (const [what, error, changes] of resigned) {
    test(`PK-3 an assertion that ${what} is refused as ${error}`, async () => {
      assert.equal(await assertionError(device.assert(challenge, changes), device), error);
    });
  }

  type Response = Record<string, unknown>;
  const flagsOff = (bit: number) => (response: Response) => ({
    authenticatorData: bitOff(response.authenticatorData, 32, bit),
  });
  const dataOff = (at: number) => (response: Response) => ({
    authenticatorData: bitOff(response.authenticatorData, at),
  });
  const signatureOff = (at: number, bit?: number) => (response: Response) => ({
    signature: bitOff(response.signature, at, bit),
  });
  const tampered: readonly [string, PasskeyError, (response: Response) => object][] = [
    ["bit 0 of the flags", "user_presence", flagsOff(1)],
    ["bit 1 of the flags", "signature", flagsOff(2)],
    ["bit 2 of the flags", "user_verification", flagsOff(4)],
    ["bit 3 of the flags", "signature", flagsOff(8)],
    ["bit 4 of the flags", "backup_flags", flagsOff(16)],
    ["bit 5 of the flags", "signature", flagsOff(32)],
    ["bit 6 of the flags", "malformed", flagsOff(64)],
    ["bit 7 of the flags", "malformed", flagsOff(128)],
    ["the first byte of the hash of the host", "rp_id", dataOff(0)],
    ["the last byte of the hash of the host", "rp_id", dataOff(31)],
    ["the first byte of the counter", "signature", dataOff(33)],
    ["the last byte of the counter", "signature", dataOff(36)],
    ["the first byte of the signature", "signature", signatureOff(0)],
    ["the length in the signature", "signature", signatureOff(1)],
    ["a byte within the signature", "signature", signatureOff(20)],
    ["the last byte of the signature", "signature", signatureOff(-1)],
    [
      "a space in the client data",
      "signature",
      ({ clientDataJSON }) => ({ clientDataJSON: rewritten(clientDataJSON, (text) => ` ${text}`) }),
    ],
    [
      "a further member of the client data",
      "signature",
      ({ clientDataJSON }) => ({
        clientDataJSON: rewritten(clientDataJSON, (text) => text.replace("{", '{"more":1,')),
      }),
    ],
    [
      "an authenticator that is cut off",
      "malformed",
      ({ authenticatorData }) => ({ authenticatorData: String(authenticatorData).slice(0, 48) }),
    ],
    ["an absent signature", "malformed", () => ({ signature: undefined })],
    ["an empty signature", "malformed", () => ({ signature: "" })],
    ["a signature with padding", "malformed", ({ signature }) => ({ signature: `${signature}=` })],
    ["absent authenticator data", "malformed", () => ({ authenticatorData: undefined })],
    ["absent client data", "malformed", () => ({ clientDataJSON: undefined })],
    ["client data that are no JSON", "malformed", () => ({ clientDataJSON: "AAAA" })],
    ["a handle that is no text", "malformed", () => ({ userHandle: { a: 1 } })],
    ["a handle that is not base64url", "malformed", () => ({ userHandle: "*" })],
  ];
  for (const [what, error, change] of tampered) {
    test(`PK-3 an assertion with ${what} changed after it was signed is refused as ${error}`, async () => {
      assert.equal(await assertionError(altered(device.assert(challenge), change), device), error);
    });
  }

  for (const algorithm of ["EdDSA", "ES256", "RS256"] as const) {
    test(`PK-3 an assertion with ${algorithm} is refused if any single bit is flipped`, async () => {
      const made = authenticator({ algorithm });
      const passkey = await registered(made);
      const answer = made.assert(challenge);
      assert.ok(!isPasskeyRefusal(await verifyAssertion(read(answer), expected, passkey)));
      for (const member of ["authenticatorData", "signature", "clientDataJSON"]) {
        const bits = Buffer.from(String(answer.response[member]), "base64url").length * 8;
        // Every eleventh bit, so every byte is covered and, over all bytes, every position in a byte.
        for (let bit = 0; bit < bits; bit += 11) {
          const change = (response: Response) => ({
            [member]: bitOff(response[member], Math.floor(bit / 8), 1 << (bit % 8)),
          });
          const read_or_refused = readAssertion(JSON.stringify(altered(answer, change)));
          const verified = isPasskeyRefusal(read_or_refused)
            ? read_or_refused
            : await verifyAssertion(read_or_refused, expected, passkey);
          assert.ok(isPasskeyRefusal(verified), `${member}, bit ${bit}`);
        }
      }
    });
  }

  test("PK-3 an ES256 assertion is refused if any bit in the lengths of its signature is flipped", async () => {
    const passkey = await registered(device);
    for (let round = 0; round < 50; round += 1) {
      const answer = device.assert(challenge);
      const signature = Buffer.from(String(answer.response.signature), "base64url");
      const of_second = 4 + (signature[3] ?? 0);
      for (const at of [0, 1, 2, 3, of_second, of_second + 1]) {
        for (let bit = 1; bit < 256; bit *= 2) {
          const change = signatureOff(at, bit);
          const verified = await verifyAssertion(read(altered(answer, change)), expected, passkey);
          assert.deepEqual(verified, refusePasskey("signature"), `byte ${at}, bit ${bit}`);
        }
      }
    }
  });

  test("PK-3 the signature of another passkey is refused", async () => {
    const other = authenticator();
    const forged = { ...other.assert(challenge), id: device.credential_id, rawId: device.credential_id };
    assert.equal(await assertionError(forged, device), "signature");
  });

  test("PK-3 an assertion without user verification is accepted and marked if none is required", async () => {
    const made = authenticator({ uv: false });
    const wishes = { ...expected, require_uv: false };
    const verified = await verifyAssertion(read(made.assert(challenge)), wishes, await registered(made));
    assert.equal(isPasskeyRefusal(verified) ? verified.refused : verified.user_verified, false);
    assert.equal(await assertionError(made.assert(challenge), made), "user_verification");
  });

  test("PK-3 an assertion is accepted from each configured origin", async () => {
    const wishes = { ...expected, origins: [origin, "https://example.net"] };
    const answer = device.assert(challenge, { client_data: { origin: "https://example.net" } });
    assert.equal(await assertionError(answer, device, wishes), undefined);
  });

  test("PK-4 an assertion that loses backup eligibility is refused, and the backup state is reported", async () => {
    const synced = authenticator({ synced: true });
    assert.equal(
      await assertionError(synced.assert(challenge, { flags: flag.be | flag.bs }), synced),
      "backup_eligible_changed",
    );
    const now_alone = read(synced.assert(challenge, { flags: flag.bs }));
    const verified = await verifyAssertion(now_alone, expected, await registered(synced));
    assert.equal(isPasskeyRefusal(verified) ? verified.refused : verified.backed_up, false);
  });

  test("PK-4 changed backup eligibility is reported only if the signature is valid", async () => {
    const answer = altered(device.assert(challenge, { flags: flag.be }), signatureOff(20));
    assert.equal(await assertionError(answer, device), "signature");
  });

  const counters: readonly [stored: number, sent: number, synced: boolean, back: boolean][] = [
    [0, 0, false, false],
    [0, 1, false, false],
    [5, 6, false, false],
    [5, 5, false, true],
    [5, 4, false, true],
    [5, 0, false, true],
    [4_294_967_295, 4_294_967_295, false, true],
    [5, 5, true, false],
    [5, 0, true, false],
  ];
  for (const [stored, sent, synced, back] of counters) {
    const kind = synced ? "a passkey on several devices" : "a passkey on one device";
    test(`PK-5 the counter of ${kind} from ${stored} to ${sent} ${back ? "went back" : "did not go back"}`, async () => {
      const made = authenticator({ synced });
      const passkey = { ...(await registered(made)), counter: stored };
      const assertion = read(made.assert(challenge, { counter: sent }));
      const verified = await verifyAssertion(assertion, expected, passkey);
      assert.ok(!isPasskeyRefusal(verified), JSON.stringify(verified));
      assert.deepEqual([verified.counter, verified.counter_went_back], [sent, back]);
    });
  }

  test("an assertion may omit the user handle", async () => {
    for (const userHandle of [undefined, null]) {
      assert.equal(read(altered(device.assert(challenge), () => ({ userHandle }))).user_handle, undefined);
    }
    assert.equal(read(device.assert(challenge)).user_handle, device.user_handle);
  });
});

const key = randomBytes(32);
const keys = sealer([key]);
const at = new Date("2030-01-01T00:00:00Z");
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const use: ChallengeUse = { purpose: "sign_in", holder: "pot_cookie" };

describe("the challenge for a passkey", () => {
  test("PK-2 a challenge has 32 random bytes and is valid for five minutes", () => {
    const challenge = newChallenge(use, keys, at);
    assert.match(challenge, /^[A-Za-z0-9_-]{94}$/);
    const read = readChallenge(challenge, use, keys, later(299));
    assert.ok(read && read !== "expired");
    assert.deepEqual(read.expires_at, later(300));
    assert.equal(read.once_key.length, 32);
    const other = newChallenge(use, keys, at);
    assert.notEqual(challenge.slice(0, 40), other.slice(0, 40));
    const other_read = readChallenge(other, use, keys, at);
    assert.ok(other_read && other_read !== "expired");
    assert.notDeepEqual(read.once_key, other_read.once_key);
  });

  test("PK-2 a challenge expires after five minutes, and setting the clock back does not extend it", () => {
    const challenge = newChallenge(use, keys, at);
    assert.equal(readChallenge(challenge, use, keys, later(300)), "expired");
    assert.equal(readChallenge(challenge, use, keys, later(-1)), "expired");
  });

  test("PK-3 a challenge is valid only for its purpose and its browser", () => {
    const challenge = newChallenge(use, keys, at);
    for (const other of [
      { ...use, purpose: "sudo" },
      { ...use, purpose: "register" },
      { ...use, purpose: "second_factor" },
      { ...use, holder: "pot_other" },
      { ...use, holder: "" },
    ] as const) {
      assert.equal(readChallenge(challenge, other, keys, at), undefined);
    }
    const quoted = newChallenge({ purpose: "sign_in", holder: 'a","b' }, keys, at);
    assert.equal(readChallenge(quoted, { purpose: "sign_in", holder: "a" }, keys, at), undefined);
  });

  test("PK-3 a challenge that another server created, or with any character changed, is refused", () => {
    const challenge = newChallenge(use, keys, at);
    assert.equal(readChallenge(newChallenge(use, sealer([randomBytes(32)]), at), use, keys, at), undefined);
    for (let index = 0; index < challenge.length; index++) {
      const letter = challenge[index] === "A" ? "B" : "A";
      const altered = challenge.slice(0, index) + letter + challenge.slice(index + 1);
      assert.equal(readChallenge(altered, use, keys, at), undefined, String(index));
    }
    for (const text of ["", "A", challenge.slice(1), `${challenge}A`, `${challenge}=`, "x".repeat(10_000)]) {
      assert.equal(readChallenge(text, use, keys, at), undefined);
    }
  });

  test("a challenge stays valid after a rotation of the secret key", () => {
    const changed = sealer([randomBytes(32), key]);
    const read = readChallenge(newChallenge(use, keys, at), use, changed, at);
    assert.ok(read && read !== "expired");
  });
});
