import assert from "node:assert/strict";
import { test } from "node:test";
import { claimNameReason } from "../../src/records/formats/claim_names.ts";
import { words } from "../support/lists.ts";

/** Names that tokens and answers use, and names that grant authority. */
const used = words(`
  iss sub aud exp nbf iat jti acr amr auth_time nonce azp at_hash c_hash s_hash sid act may_act cnf client_id
  scope roles groups entitlements organization permissions email email_verified email_alias events tenant name
  picture updated_at session_expiry username token_type active realm_access resource_access org_id org_name
  groups_overage attributes_overage _claim_names verified_claims phone_number_verified access_token id_token
  __proto__ constructor prototype toString hasOwnProperty valueOf __defineGetter__ toJSON postern_role
`);

/** Names that a reader, or a program that folds names, mistakes for one of those. */
const mistaken = ["ISS", "Sub", "lss", "1ss", "r0les", "gr0ups", "roIes", "exρ", "ѕub", "аud", "iss\u200b"];
const malformed = [
  "",
  "1tier",
  "_tier",
  "tier level",
  "tïer",
  "tier\n",
  'admin"],"x":["',
  "a".repeat(129),
  "İss",
];

test("OC-7: an attribute cannot be mapped to a claim that has another use, or to a name that looks like one", () => {
  assert.ok(used.length + mistaken.length >= 60, `${used.length} names`);
  for (const name of [...used, ...mistaken, ...malformed]) {
    const why = claimNameReason(name);
    assert.ok(
      why?.code === "reserved_claim" || why?.code === "not_claim_name",
      `${JSON.stringify(name)} is taken`,
    );
  }
  assert.deepEqual(claimNameReason("lss"), { code: "reserved_claim", params: { claim: "iss" } });
});

test("OC-7: an attribute can be mapped to any other claim name of ASCII letters, including URLs", () => {
  for (const name of [
    "department",
    "https://acme.example/tier",
    "cost-centre",
    "given_name",
    "nickname",
    "urn:x:y",
  ])
    assert.equal(claimNameReason(name), undefined, name);
});
