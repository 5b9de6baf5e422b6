import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { assertionKeyOf, readAssertion, verifyAssertion } from "../../src/crypto/assertions.ts";
import { OAuthError } from "../../src/errors.ts";
import { readGrantAssertion } from "../../src/oauth/assertions/grant_assertion.ts";
import { keyAlgorithms } from "../../src/records/names.ts";
import { issuer, serverOn } from "../support/authorization_server.ts";
import { codePoint } from "../support/code_point.ts";
import { describeInForm } from "../support/databases.ts";
import { aMachine, aPair, compact, type Machine, pemOf, switchedOn } from "./machine.ts";
import { refusal, rejected, withSettings } from "./party.ts";
import { aSigningClient } from "./signing_client.ts";

const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \né";

/**
 * One change of a text: a character replaced, taken out or put in, an end cut off, or two parts exchanged.
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

describeInForm("assertions that somebody changed", (database) => {
  const stage = serverOn(database, switchedOn);
  const machines: Machine[] = [];
  before(async () => {
    for (const algorithm of ["RS256", "ES256", "ES512"]) machines.push(await aMachine(stage, { algorithm }));
  });

  test("H-13: no changed assertion buys a token, and the sound one still does", async () => {
    for (const machine of machines) {
      const assertion = await machine.assertion();
      await fc.assert(
        fc.asyncProperty(change, async (mutation) => {
          const other = changed(assertion, mutation);
          fc.pre(other !== assertion && other !== "");
          await rejected(machine.exchange({ assertion: other }), "invalid_grant");
        }),
        { numRuns: 120 },
      );
      assert.equal(await stage.store.count("oauth_tokens", { service_account_id: machine.account.id }), 0);
      assert.ok(await machine.exchange({ assertion }));
    }
  });

  test("H-1, H-13: whatever an unsigned assertion holds, it is refused in words", async () => {
    const [, machine] = machines;
    assert.ok(machine !== undefined);
    const name = fc.constantFrom("iss", "sub", "aud", "exp", "nbf", "iat", "jti", "__proto__");
    const member = fc.constantFrom("alg", "kid", "typ", "crit", "jwk", "jku", "x5c", "b64");
    const json = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: codePoint }),
      fc.constantFrom(issuer, "ES256", "none", 1e300),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(member, json), fc.dictionary(name, json), async (header, claims) => {
        const assertion = compact(
          { alg: "ES256", kid: machine.key.key_id, ...header },
          machine.claims(claims),
        );
        await rejected(machine.exchange({ assertion }), "invalid_grant");
      }),
      { numRuns: 150 },
    );
  });

  test("PR-36: no changed assertion of a client is its proof, nor spends the sound one", async () => {
    const clients = withSettings(stage, { extra_client_auth: ["private_key_jwt"] });
    for (const algorithm of ["PS256", "ES256", "EdDSA"]) {
      const client = await aSigningClient(clients, { algorithm });
      const assertion = await client.assertion();
      await fc.assert(
        fc.asyncProperty(change, async (mutation) => {
          const other = changed(assertion, mutation);
          fc.pre(other !== assertion && other !== "");
          await rejected(client.ask(other), "invalid_client");
        }),
        { numRuns: 120 },
      );
      assert.ok(await client.ask(assertion));
    }
  });

  test("H-1, PR-36: whatever an unsigned assertion of a client holds, it is refused in words", async () => {
    const clients = withSettings(stage, { extra_client_auth: ["private_key_jwt"] });
    const client = await aSigningClient(clients);
    const json = fc.oneof(fc.jsonValue(), fc.string({ unit: codePoint }), fc.constantFrom(issuer, "none"));
    const name = fc.constantFrom("iss", "sub", "aud", "exp", "nbf", "iat", "jti", "__proto__");
    const member = fc.constantFrom("alg", "kid", "typ", "crit", "jwk", "jku", "x5c", "b64");
    await fc.assert(
      fc.asyncProperty(fc.dictionary(member, json), fc.dictionary(name, json), async (header, claims) => {
        const text = compact({ alg: "ES256", kid: "k1", ...header }, client.claims(claims));
        await rejected(client.ask(text), "invalid_client");
      }),
      { numRuns: 150 },
    );
    assert.equal(await stage.store.count("ephemera", { kind: "client_assertion" }), 3);
  });

  test("H-1: a type, algorithm or key that has no text is refused in words as any other", async () => {
    const clients = withSettings(stage, { extra_client_auth: ["private_key_jwt"] });
    const client = await aSigningClient(clients);
    for (const name of ["typ", "alg", "kid"]) {
      for (const value of [{ toString: "" }, { toString: null, valueOf: 1 }, ["JWT"], ["ES256"], ["k1"]]) {
        const text = compact({ alg: "ES256", kid: "k1", [name]: value }, client.claims());
        await assert.rejects(client.ask(text), refusal("invalid_client"), JSON.stringify([name, value]));
      }
    }
  });
});

describe("the rules of an assertion, free of any record", () => {
  const now = new Date("2030-01-01T00:00:00Z");
  const usual = { client_algorithms: null, issuer_as_audience: false };

  test("H-13: any text is read, or refused as invalid_grant in RFC 6749's characters", () => {
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

  test("H-13: only the key's own signature under its own algorithm verifies, for every pair of algorithms", async () => {
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
