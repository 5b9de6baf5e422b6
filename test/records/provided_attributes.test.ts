/** Attributes from the claims of a provider (OC-7), for all claims and mappings. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { AttributeDefinition } from "../../src/records/definition/definition.ts";
import { attributeClaimsErrors } from "../../src/records/formats/attribute_claims.ts";
import { attributesOf, mostAttributeBytes, valueReason } from "../../src/records/rules/attributes.ts";
import {
  attributesOfProvider,
  boundedClaims,
  withProvidedAttributes,
} from "../../src/records/rules/provided_attributes.ts";
import { start } from "../support/builders.ts";

const definitionOf = (
  name: string,
  value_type: AttributeDefinition["value_type"],
  more: Partial<AttributeDefinition> = {},
): AttributeDefinition => ({
  ...{ id: name, name, record_type: "users", organization_id: null, value_type, label: null },
  ...{ writers: ["provider"], readers: ["user", "admin"], searchable: false, pattern: null, max: null },
  ...{ claim: null, scopes: [], created_at: start, updated_at: start, name_key: null, claim_key: null },
  ...more,
});

const definitions = [
  definitionOf("team", "string", { pattern: "[A-Za-z0-9 ]+" }),
  definitionOf("level", "number", { max: 9 }),
  definitionOf("vip", "boolean"),
  definitionOf("hired", "date"),
  definitionOf("groups", "list"),
  definitionOf("preferred_username", "string", { pattern: "[^,]+" }),
  definitionOf("desk", "string", { writers: ["user", "admin"] }),
];
const ofServer = (all: readonly AttributeDefinition[]) =>
  attributesOfProvider({ organization_id: null }, all);
const written = ofServer(definitions);
const claims = Object.fromEntries(definitions.map(({ name }) => [name, name]));
const ada = { email: "ada@acme.example", email_verified_at: start };

describe("OC-7: attributes that are set from an identity provider's claims", () => {
  test("have the values of their claims, in the attribute's type", () => {
    const cases: [name: string, claim: unknown, value: unknown][] = [
      ["team", "Sales", "Sales"],
      ["team", " Sales ", "Sales"],
      ["team", 7, "7"],
      ["team", "", undefined],
      ["team", "a,b", undefined],
      ["team", "x".repeat(300), undefined],
      ["team", ["Sales"], undefined],
      ["level", 3, 3],
      ["level", "3", 3],
      ["level", 12, undefined],
      ["level", "three", undefined],
      ["vip", true, true],
      ["vip", "false", false],
      ["vip", 1, undefined],
      ["hired", "2026-11-29", "2026-11-29"],
      ["hired", "2026-02-30", undefined],
      ["groups", ["a", "b"], ["a", "b"]],
      ["groups", "a", ["a"]],
      ["groups", ["a", 1], undefined],
      ["groups", Array.from({ length: 101 }, String), undefined],
      ["groups", [], []],
      ["preferred_username", "ada", "ada"],
      ["preferred_username", "ada@acme.example", "ada@acme.example"],
      ["preferred_username", "eve@acme.example", undefined],
      ["desk", "D4", "D1"],
    ];
    const before = { team: "Old", level: 1, vip: true, hired: "2020-01-01", groups: ["x"], desk: "D1" };
    for (const [name, claim, value] of cases) {
      const provided = boundedClaims([[name, claim]]);
      const after = withProvidedAttributes(
        { ...ada, attributes: before },
        { [name]: "c" },
        provided,
        written,
      );
      const { [name as "team"]: _, ...others } = before;
      assert.deepEqual(
        after,
        { ...others, ...(value !== undefined && { [name]: value }) },
        `${name} ${claim}`,
      );
    }
  });

  test("are removed if the claim is missing, and attributes from other sources stay", () => {
    const attributes = { team: "Old", level: 1, desk: "D1", gone: "x" };
    const after = withProvidedAttributes({ ...ada, attributes }, { team: "t", desk: "d" }, {}, written);
    assert.deepEqual(after, { level: 1, desk: "D1", gone: "x" });
    assert.equal(withProvidedAttributes({ ...ada, attributes: { team: "a" } }, claims, {}, written), null);
    const changed = definitions.map((each) => ({
      ...each,
      writers: ["admin"] as AttributeDefinition["writers"],
    }));
    assert.deepEqual(
      withProvidedAttributes({ ...ada, attributes }, claims, { team: "New" }, ofServer(changed)),
      attributes,
    );
  });

  test("are valid and limited in size, whatever the provider sends, and a second sign-in changes nothing", () => {
    const value = fc.oneof(fc.jsonValue(), fc.string(), fc.array(fc.string()), fc.double());
    const sent = fc.array(fc.tuple(fc.constantFrom(...Object.keys(claims), "__proto__"), value));
    const had = fc.dictionary(fc.constantFrom(...Object.keys(claims)), fc.constant("old"));
    const known = attributesOf("users", null, definitions);
    fc.assert(
      fc.property(sent, had, (pairs, attributes) => {
        const provided = boundedClaims(pairs);
        assert.ok(Buffer.byteLength(JSON.stringify(provided)) <= 4200);
        const after = withProvidedAttributes({ ...ada, attributes }, claims, provided, written);
        for (const [name, is] of Object.entries(after ?? {})) {
          const attribute = known.find((each) => each.name === name);
          assert.ok(attribute);
          if (name !== "desk") assert.equal(valueReason(attribute, is), undefined);
          else assert.equal(is, attributes.desk);
        }
        assert.ok(Buffer.byteLength(JSON.stringify(after)) <= mostAttributeBytes);
        assert.deepEqual(
          withProvidedAttributes({ ...ada, attributes: after }, claims, provided, written),
          after,
        );
      }),
      { numRuns: 500 },
    );
  });

  test("can be mapped from claims about the user, but not from protocol claims or the email", () => {
    const accepted = [
      "department",
      "https://acme.example/team",
      "realm_access.roles",
      "groups",
      "sub",
      "name",
    ];
    for (const claim of accepted) assert.deepEqual(attributeClaimsErrors({ team: claim }), [], claim);
    const refused: [Record<string, unknown>, string][] = [
      ...["iss", "aud", "exp", "nonce", "at_hash", "sid", "acr", "cnf", "act", "email", "email_verified"].map(
        (claim): [Record<string, unknown>, string] => [
          { team: claim },
          "/attribute_claims/team claim_of_protocol",
        ],
      ),
      [{ team: "" }, "/attribute_claims/team not_claim_name"],
      [{ team: "a b" }, "/attribute_claims/team not_claim_name"],
      [{ team: "ｉss" }, "/attribute_claims/team not_claim_name"],
      [{ team: 1 }, "/attribute_claims/team not_claim_name"],
      [{ team: ["a"] }, "/attribute_claims/team not_claim_name"],
      [{ Team: "a" }, "/attribute_claims/Team not_attribute_name"],
      [JSON.parse('{"__proto__": "a"}'), "/attribute_claims/__proto__ not_attribute_name"],
      [
        Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${index}`, "a"])),
        "/attribute_claims more_than_quota",
      ],
    ];
    for (const [mapped, expected] of refused)
      assert.deepEqual(
        attributeClaimsErrors(mapped).map(({ path, code }) => `${path} ${code}`),
        [expected],
      );
  });
});
