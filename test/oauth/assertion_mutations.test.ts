import assert from "node:assert/strict";
import { createHmac, sign } from "node:crypto";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { assertionKeyOf, readAssertion, verifyAssertion } from "../../src/crypto/assertions.ts";
import { OAuthError } from "../../src/errors.ts";
import { readGrantAssertion } from "../../src/oauth/assertions/grant_assertion.ts";
import { keyAlgorithms } from "../../src/records/names/names.ts";
import { issuer, serverOn } from "../support/authorization_server.ts";
import { anOrganization } from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate } from "../support/endings.ts";
import { inForm } from "../support/form.ts";
import { withoutConversions } from "../support/without_conversions.ts";
import { refusal, rejected, withSettings } from "./client_fixture.ts";
import { aMachine, aPair, compact, type Machine, type Pair, pemOf, switchedOn } from "./machine.ts";
import { aSigningClient } from "./signing_client.ts";

const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \né";

/**
 * A single change of a text: a character replaced, removed or inserted, an end cut off, or two parts swapped.
 */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  to: fc.constantFrom(...characters),
  kind: fc.constantFrom("replace", "remove", "insert", "cut", "double", "swap"),
});

function changed(text: string, { at, to, kind }: { at: number; to: string; kind: string }): string {
  const index = Math.min(text.length - 1, Math.floor(at * text.length));
  const [header = "", payload = "", signature = ""] = text.split(".");
  if (kind === "replace") return text.slice(0, index) + to + text.slice(index + 1);
  if (kind === "remove") return text.slice(0, index) + text.slice(index + 1);
  if (kind === "insert") return text.slice(0, index) + to + text.slice(index);
  if (kind === "cut") return text.slice(0, index);
  if (kind === "double") return `${text}.${signature}`;
  return `${payload}.${header}.${signature}`;
}

describeInForm("assertions changed by an attacker", (database) => {
  const scenario = serverOn(database, switchedOn);

  /** Returns a signer of this kind of assertion, and the error code with which an invalid one is refused. */
  async function aSigner(kind: "account" | "client", algorithm: string) {
    if (kind === "account") {
      const machine = await aMachine(scenario, { algorithm });
      const { claims, key } = machine;
      const ask = (assertion: string) => machine.exchange({ assertion });
      return { code: "invalid_grant", claims, kid: key.key_id, assertion: () => machine.assertion(), ask };
    }
    const clients = withSettings(scenario, { extra_client_auth: ["private_key_jwt"] });
    const { claims, assertion, ask } = await aSigningClient(clients, { algorithm });
    return { code: "invalid_client", claims, kid: "k1", assertion: () => assertion(), ask };
  }
  const algorithms = { account: ["RS256", "ES256", "ES512"], client: ["PS256", "ES256", "EdDSA"] } as const;

  for (const kind of ["account", "client"] as const) {
    for (const algorithm of algorithms[kind])
      test(`H-13, PR-36: no altered assertion of the ${kind} with ${algorithm} is accepted, or uses up the original`, async () => {
        const { code, assertion, ask } = await aSigner(kind, algorithm);
        const sound = await assertion();
        await fc.assert(
          fc.asyncProperty(change, async (mutation) => {
            const other = changed(sound, mutation);
            fc.pre(other !== sound && other !== "");
            await rejected(ask(other), code);
          }),
          { numRuns: inForm(40, 120) },
        );
        assert.ok(await ask(sound));
      });

    test(`H-1, H-13, PR-36: an unsigned assertion of the ${kind} is refused with a message, and nothing is stored`, async () => {
      const { code, claims, kid, ask } = await aSigner(kind, "ES256");
      const name = fc.constantFrom("iss", "sub", "aud", "exp", "nbf", "iat", "jti", "__proto__");
      const member = fc.constantFrom("alg", "kid", "typ", "crit", "jwk", "jku", "x5c", "b64");
      const text = fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom(issuer, "ES256", "none", 1e300));
      const json = fc.oneof(fc.jsonValue(), text);
      const marks = () => scenario.store.count("ephemera", {});
      const before = await marks();
      await fc.assert(
        fc.asyncProperty(fc.dictionary(member, json), fc.dictionary(name, json), async (header, values) => {
          await rejected(ask(compact({ alg: "ES256", kid, ...header }, claims(values))), code);
        }),
        { numRuns: inForm(50, 150) },
      );
      assert.equal(await marks(), before);
    });
  }

  test("H-1: an assertion whose type, algorithm or key is not text is refused like any other invalid one", async () => {
    const clients = withSettings(scenario, { extra_client_auth: ["private_key_jwt"] });
    const client = await aSigningClient(clients);
    const machine = await aMachine(scenario);
    for (const value of [...withoutConversions, ["JWT"], ["ES256"], ["k1"]]) {
      for (const name of ["typ", "alg", "kid", "crit", "b64", "jwk", "x5c"]) {
        const text = compact({ alg: "ES256", kid: "k1", [name]: value }, client.claims());
        await assert.rejects(client.ask(text), refusal("invalid_client"), JSON.stringify([name, value]));
        const own = compact({ alg: "ES256", kid: machine.key.key_id, [name]: value }, machine.claims());
        await rejected(machine.exchange({ assertion: own }), "invalid_grant");
      }
      for (const name of ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]) {
        await assert.rejects(
          client.ask(await client.assertion({ [name]: value })),
          refusal("invalid_client"),
        );
        await rejected(machine.present({ [name]: value }), "invalid_grant");
      }
    }
  });
});

describe("the validation of an assertion, without the database", () => {
  const now = new Date("2030-01-01T00:00:00Z");
  const usual = { client_algorithms: null, issuer_as_audience: false };

  test("H-13: any text is read as an assertion or refused with invalid_grant and a valid error_description", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: codePoint }), fc.base64String()), (text) => {
        try {
          readGrantAssertion(text, usual, issuer, now);
          assert.fail("read");
        } catch (error) {
          assert.ok(error instanceof OAuthError && error.code === "invalid_grant");
          assert.match(error.description, /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
        }
      }),
    );
  });

  test("H-13: only a signature by the key itself with its own algorithm verifies, for every pair of algorithms", async () => {
    const pairs = new Map(keyAlgorithms.map((algorithm) => [algorithm, aPair(algorithm)]));
    const { SignJWT } = await import("jose");
    for (const signed of keyAlgorithms) {
      const by = pairs.get(signed);
      assert.ok(by !== undefined);
      const text = await new SignJWT({}).setProtectedHeader({ alg: signed }).sign(by.privateKey);
      const assertion = readAssertion(text);
      assert.ok(assertion !== undefined);
      for (const algorithm of keyAlgorithms) {
        const mine = await verifyAssertion(
          assertion,
          assertionKeyOf({ algorithm, public_key_pem: pemOf(by) }),
        );
        assert.equal(
          mine,
          algorithm === signed ? "verified" : "other_algorithm",
          `${signed} as ${algorithm}`,
        );
        const other = pairs.get(algorithm);
        assert.ok(other !== undefined);
        const theirs = await verifyAssertion(
          assertion,
          assertionKeyOf({ algorithm, public_key_pem: pemOf(other) }),
        );
        assert.equal(theirs, algorithm === signed ? "verified" : "unverified", `${signed} with another key`);
      }
      assert.equal(await verifyAssertion(assertion, undefined), "unverified");
    }
  });
});

const refused = (what: RegExp) => refusal("invalid_grant", what);
const unknown = /^the assertion is not signed with a key of the service account it names$/;

describeInForm("assertions that are refused", (database) => {
  const scenario = serverOn(database, switchedOn);
  let rsa: Pair;
  before(async () => {
    rsa = aPair("RS256");
  });

  const seconds = () => Math.floor(scenario.clock.now().getTime() / 1000);

  /** Every error of an assertion, with its message. */
  const wrongs: Record<string, [(machine: Machine) => Promise<string> | string, RegExp]> = {
    "no JWT": [() => "garbage", /not a signed JWT in compact serialization/],
    "two parts": [
      async (m) => (await m.assertion()).split(".").slice(0, 2).join("."),
      /compact serialization/,
    ],
    "five parts": [async (m) => `${await m.assertion()}.a.b`, /compact serialization/],
    padding: [async (m) => `${await m.assertion()}=`, /compact serialization/],
    "longer than anything": [(m) => m.assertion({ note: "x".repeat(9000) }), /compact serialization/],
    "a payload that is no object": [() => compact({ alg: "ES256", kid: "k" }, []), /compact serialization/],
    "a header that is no JSON": [() => compact("{alg", {}), /compact serialization/],
    none: [(m) => compact({ alg: "none", kid: m.key.key_id }, m.claims(), ""), /signed with one of RS256/],
    "HMAC with the public key": [
      (m) => {
        const input = compact({ alg: "HS256", kid: m.key.key_id }, m.claims(), "");
        const mac = createHmac("sha256", m.key.public_key_pem).update(input.slice(0, -1)).digest();
        return input + mac.toString("base64url");
      },
      /signed with one of RS256/,
    ],
    "an algorithm of another family": [
      (m) => compact({ alg: "PS256", kid: m.key.key_id }, m.claims()),
      /signed with one/,
    ],
    "no algorithm": [(m) => compact({ kid: m.key.key_id }, m.claims()), /signed with one of/],
    "no kid": [(m) => m.assertion({}, { kid: undefined }), /must have kid/],
    "a kid that is no text": [(m) => compact({ alg: "ES256", kid: 7 }, m.claims()), /must have kid/],
    "a critical extension": [(m) => compact({ alg: "ES256", kid: "k", crit: ["x"] }, m.claims()), /crit/],
    "another kind of token": [
      (m) => m.assertion({}, { typ: "at+jwt" }),
      /typ must be authorization-grant\+jwt or JWT/,
    ],
    "no iss": [(m) => m.assertion({ iss: undefined }), /must have iss/],
    "no sub": [(m) => m.assertion({ sub: undefined }), /must have sub/],
    "another sub": [(m) => m.assertion({ sub: "somebody else" }), /iss and sub must both be/],
    "no audience": [(m) => m.assertion({ aud: undefined }), /aud must be/],
    "an empty audience": [(m) => m.assertion({ aud: [] }), /aud must be/],
    "another audience": [(m) => m.assertion({ aud: "https://other.example" }), /aud must be/],
    "a longer audience": [(m) => m.assertion({ aud: `${issuer}/` }), /aud must be/],
    "one more audience": [
      (m) => m.assertion({ aud: [issuer, "https://other.example"] }),
      /no other audience/,
    ],
    "no exp": [(m) => m.assertion({ exp: undefined }), /must have exp/],
    "an exp that is no number": [
      (m) => m.assertion({ exp: String(seconds() + 60) as never }),
      /must have exp/,
    ],
    expired: [(m) => m.assertion({ exp: seconds() }), /has expired/],
    "more than five minutes to live": [(m) => m.assertion({ exp: seconds() + 301 }), /the maximum is 300/],
    "not yet valid": [(m) => m.assertion({ nbf: seconds() + 11 }), /nbf is in the future/],
    "made in the far future": [(m) => m.assertion({ iat: seconds() + 61 }), /iat is in the future/],
    "no jti": [(m) => m.assertion({ jti: undefined }), /must have jti/],
    "an empty jti": [(m) => m.assertion({ jti: "" }), /must have jti/],
  };
  for (const [what, [make, said]] of Object.entries(wrongs))
    test(`H-13: an invalid assertion is refused with a message of its own: ${what}`, async () => {
      const machine = await aMachine(scenario);
      await assert.rejects(machine.exchange({ assertion: await make(machine) }), refused(said));
      assert.equal(await scenario.store.count("oauth_tokens", { service_account_id: machine.account.id }), 0);
    });

  test("H-13: an assertion whose values are exactly at each limit is accepted", async () => {
    const machine = await aMachine(scenario);
    for (const claims of [
      { exp: seconds() + 300 },
      { exp: seconds() + 1 },
      { nbf: seconds() + 10 },
      { iat: seconds() + 60 },
    ])
      assert.ok(await machine.present(claims), JSON.stringify(claims));
  });

  test("H-13: an unknown account, an unknown key and a wrong signature are refused with the same message", async () => {
    const machine = await aMachine(scenario);
    const other = await aMachine(scenario);
    const nobody = scenario.store.newId(scenario.clock.now());
    const guesses = [
      await machine.assertion({ iss: nobody, sub: nobody }),
      await machine.assertion({ iss: "nobody@machines.example", sub: "nobody@machines.example" }),
      await machine.assertion({}, { kid: "unknown" }),
      await machine.assertion({}, { kid: other.key.key_id }),
      await machine.assertion({}, {}, other.pair.privateKey),
      await other.assertion({ iss: machine.account.id, sub: machine.account.id }),
      compact({ alg: "ES256", kid: machine.key.key_id }, machine.claims()),
      compact({ alg: "RS512", kid: machine.key.key_id }, machine.claims()),
      compact({ alg: "RS512", kid: "unknown" }, machine.claims()),
    ];
    for (const assertion of guesses) await assert.rejects(machine.exchange({ assertion }), refused(unknown));
    // The caller also does not learn that an account or a key existed and has ended.
    await scenario.store.update("service_account_key_pairs", { id: machine.key.id }, { revoked: true });
    await deactivate(scenario.store, "service_accounts", machine.account.id, scenario.clock.now());
    await assert.rejects(machine.present({}, {}, other.pair.privateKey), refused(unknown));
  });

  test("H-13: the algorithm is the one registered for the key, whatever the header says", async () => {
    const machine = await aMachine(scenario, { algorithm: "RS256", pair: rsa });
    const header = (alg: string) => ({ alg, kid: machine.key.key_id });
    await assert.rejects(
      machine.present({}, header("RS384")),
      refused(/alg is RS384, but the key has type rsa and is registered for RS256 only/),
    );
    // An RSA key under an EC name: the key made the signature, but the algorithm is not the key's.
    const input = compact(header("ES256"), machine.claims(), "").slice(0, -1);
    const signature = sign("sha256", Buffer.from(input), rsa.privateKey).toString("base64url");
    await assert.rejects(
      machine.exchange({ assertion: `${input}.${signature}` }),
      refused(/alg is ES256, but the key has type rsa/),
    );
    const ec = await aMachine(scenario, { algorithm: "ES256" });
    const ecInput = compact({ alg: "RS256", kid: ec.key.key_id }, ec.claims(), "").slice(0, -1);
    const ecSignature = sign("sha256", Buffer.from(ecInput), {
      key: ec.pair.privateKey,
      dsaEncoding: "ieee-p1363",
    });
    await assert.rejects(
      ec.exchange({ assertion: `${ecInput}.${ecSignature.toString("base64url")}` }),
      refused(/alg is RS256, but the key has type ec and is registered for ES256 only/),
    );
  });

  test("H-13: an assertion is refused if its key is registered for an algorithm that the key does not support", async () => {
    const machine = await aMachine(scenario, {
      algorithm: "RS256",
      pair: rsa,
      key: { algorithm: "ES256", key_type: "ec" },
    });
    const input = compact({ alg: "ES256", kid: machine.key.key_id }, machine.claims(), "").slice(0, -1);
    const signature = sign("sha256", Buffer.from(input), rsa.privateKey).toString("base64url");
    await assert.rejects(
      machine.exchange({ assertion: `${input}.${signature}` }),
      refused(/registered for ES256, which its key type does not support/),
    );
    const broken = await aMachine(scenario, { key: { public_key_pem: "none" } });
    await assert.rejects(broken.exchange(), refused(unknown));
  });

  test("H-13, design 6.18: the refusal of an assertion names the key, account or organization that ended", async () => {
    const now = scenario.clock.now();
    const { id: organization_id } = await anOrganization(scenario.store, { active: false });
    for (const [values, said] of [
      [{ key: { revoked: true, revoked_at: now } }, /key .* was revoked/],
      [{ key: { active: false } }, /key .* is not active/],
      [{ key: { expires_at: now } }, /key .* has expired/],
      [{ account: { active: false } }, /account is not active/],
      [{ account: { organization_id } }, /organization of the service account is not active/],
    ] as const)
      await rejected((await aMachine(scenario, values)).exchange(), "invalid_grant", said);
  });
});
