import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { emailAssurance } from "../../src/providers/email_assurance.ts";
import { allPresets, presetOf } from "../../src/providers/presets/all_presets.ts";
import type { UpstreamClaims } from "../../src/providers/presets/preset.ts";
import type { ProviderSettings } from "../../src/providers/presets/provider_settings.ts";
import { type ProviderPreset, providerPresets } from "../../src/records/names/names.ts";
import { providerSettings } from "../support/provider_settings.ts";

const tid = "3338040d-6c67-4c5b-b112-36a304b66dad";
const other = "4448040d-6c67-4c5b-b112-36a304b66dad";

type Case = readonly [UpstreamClaims, Partial<ProviderSettings>, "authoritative" | "verified" | "none"];

const verified = { email: "ann@firm.example", email_verified: true };
const unsaid = { email: "ann@firm.example" };
const denied = { email: "ann@firm.example", email_verified: false };
const domains = { email_trust: "domains", email_domains: ["firm.example"] } as const;
const never = { email_trust: "never" } as const;

const table: Readonly<Record<ProviderPreset, readonly Case[]>> = {
  google: [
    [{ email: "ann@gmail.com", email_verified: true }, {}, "authoritative"],
    [{ email: "Ann@GMAIL.com", email_verified: "true" }, {}, "authoritative"],
    [{ email: "ann@gmail.com", email_verified: false }, {}, "none"],
    [{ email: "ann@gmail.com" }, {}, "none"],
    [{ ...verified, hd: "firm.example" }, {}, "authoritative"],
    [{ ...verified, hd: "other.example" }, {}, "verified"],
    [{ email: "ann@gmail.com.evil.example", email_verified: true }, {}, "verified"],
    [{ email: "ann@notgmail.com", email_verified: true }, {}, "verified"],
    [verified, {}, "verified"],
    [verified, domains, "verified"],
    [{ ...denied, hd: "firm.example" }, domains, "none"],
    [{ ...verified, hd: "firm.example" }, never, "none"],
  ],
  microsoft: [
    [{ ...unsaid, tid, xms_edov: true }, { allowed_tenants: [tid] }, "authoritative"],
    [{ ...unsaid, tid: tid.toUpperCase(), xms_edov: "1" }, { allowed_tenants: [tid] }, "authoritative"],
    [{ ...unsaid, tid, xms_edov: true }, { issuer: `https://login.example/${tid}/v2.0` }, "authoritative"],
    [{ ...unsaid, tid, xms_edov: true }, {}, "none"],
    [{ ...unsaid, tid: other, xms_edov: true }, { allowed_tenants: [tid] }, "none"],
    [{ ...unsaid, tid, xms_edov: false }, { allowed_tenants: [tid] }, "none"],
    [{ ...unsaid, tid }, { allowed_tenants: [tid] }, "none"],
    [{ ...verified, tid }, { allowed_tenants: [tid] }, "none"],
    [{ ...verified, tid }, {}, "none"],
    [{ ...unsaid, tid }, { ...domains, allowed_tenants: [tid] }, "authoritative"],
    [{ ...unsaid, tid: other }, { ...domains, allowed_tenants: [tid] }, "none"],
    [{ ...unsaid, tid }, domains, "none"],
    [{ ...unsaid, tid, xms_edov: true }, { ...never, allowed_tenants: [tid] }, "none"],
  ],
  apple: [
    [verified, {}, "verified"],
    [{ ...unsaid, email_verified: "true" }, {}, "verified"],
    [{ ...unsaid, email_verified: "false" }, {}, "none"],
    [{ email: "x@privaterelay.appleid.com", email_verified: true }, {}, "verified"],
    [unsaid, {}, "none"],
    [verified, domains, "verified"],
    [verified, never, "none"],
  ],
  github: [
    [{ emails: [{ email: "a@firm.example", primary: true, verified: true }] }, {}, "verified"],
    [{ emails: [{ email: "a@firm.example", primary: true, verified: false }] }, {}, "none"],
    [{ emails: [{ email: "a@firm.example", primary: false, verified: true }] }, {}, "none"],
    [{ ...verified, emails: [] }, {}, "none"],
    [verified, {}, "none"],
    [{ emails: [null, { email: "a@firm.example", primary: true, verified: true }] }, domains, "verified"],
    [{ emails: [{ email: "a@firm.example", primary: true, verified: true }] }, never, "none"],
  ],
  gitlab: [
    [verified, {}, "verified"],
    [denied, {}, "none"],
    [unsaid, {}, "none"],
    [verified, domains, "verified"],
    [verified, { issuer: "https://git.firm.example" }, "verified"],
    [verified, { issuer: "https://git.firm.example", ...never }, "none"],
    [verified, { issuer: "https://git.firm.example", ...domains }, "authoritative"],
    [
      { ...verified, email: "ann@bücher.example" },
      {
        issuer: "https://git.firm.example",
        email_trust: "domains",
        email_domains: ["xn--bcher-kva.example"],
      },
      "authoritative",
    ],
    [{ ...verified, email: "a@b.example" }, { issuer: "https://git.firm.example", ...domains }, "none"],
  ],
  discord: [
    [{ email: "ann@firm.example", verified: true }, {}, "verified"],
    [{ email: "ann@firm.example", verified: false }, {}, "none"],
    [verified, {}, "none"],
    [{ email: null, verified: true }, {}, "none"],
    [{ email: "ann@firm.example", verified: true }, domains, "verified"],
    [{ email: "ann@firm.example", verified: true }, never, "none"],
  ],
  facebook: [
    [verified, {}, "none"],
    [unsaid, domains, "none"],
    [{}, {}, "none"],
    [verified, never, "none"],
  ],
  linkedin: [
    [verified, {}, "verified"],
    [denied, {}, "none"],
    [unsaid, {}, "none"],
    [verified, domains, "verified"],
    [verified, never, "none"],
  ],
  slack: [
    [verified, {}, "verified"],
    [denied, {}, "none"],
    [unsaid, {}, "none"],
    [verified, domains, "verified"],
    [verified, never, "none"],
  ],
  oidc: [
    [verified, {}, "verified"],
    [unsaid, {}, "none"],
    [denied, {}, "none"],
    [{ ...unsaid, email_verified: "yes" }, {}, "none"],
    [unsaid, domains, "authoritative"],
    [{ email: "ann@FIRM.example" }, domains, "authoritative"],
    [denied, domains, "none"],
    [{ email: "ann@sub.firm.example", email_verified: true }, domains, "none"],
    [{ email: "ann@firm.example@evil.example" }, domains, "none"],
    [{ email: "not an address", email_verified: true }, {}, "none"],
    [{ email: ["ann@firm.example"], email_verified: true }, {}, "none"],
    [verified, never, "none"],
  ],
  oauth2: [
    [verified, {}, "none"],
    [
      { mail: "ann@firm.example", ok: true },
      { claim_names: { subject: "id", email: "mail", email_verified: "ok" } },
      "verified",
    ],
    [{ mail: "ann@firm.example", ok: true }, { claim_names: { subject: "id", email: "mail" } }, "none"],
    [
      { user: { mail: "ann@firm.example", ok: 1 } },
      { claim_names: { subject: "id", email: "user.mail", email_verified: "user.ok" } },
      "verified",
    ],
    [
      { mail: "ann@firm.example" },
      { ...domains, claim_names: { subject: "id", email: "mail" } },
      "authoritative",
    ],
    [
      { mail: "ann@firm.example", ok: false },
      { ...domains, claim_names: { subject: "id", email: "mail", email_verified: "ok" } },
      "none",
    ],
    [{ mail: "ann@firm.example", ok: true }, never, "none"],
  ],
};

describe("EP-8 whether a provider's email is trusted", () => {
  for (const preset of allPresets) {
    for (const [claims, input, expected] of table[preset.name]) {
      test(`EP-8 with ${preset.name}, ${JSON.stringify([claims, input])} yields ${expected}`, () => {
        assert.equal(emailAssurance(preset, claims, providerSettings(preset.name, input)), expected);
      });
    }
  }

  test("EP-8 claims without an email yield no trust, for every preset and trust setting", () => {
    for (const preset of allPresets) {
      for (const email_trust of ["never", "claim", "domains"] as const) {
        const settings = providerSettings(preset.name, { email_trust, email_domains: ["", "firm.example"] });
        assert.equal(emailAssurance(preset, { email_verified: true, xms_edov: true, tid }, settings), "none");
      }
    }
  });
});

describe("EP-7 the subject that identifies a user at a provider", () => {
  const subjects: readonly [ProviderPreset, UpstreamClaims, string | undefined][] = [
    ["google", { sub: "110248495921238986420" }, "110248495921238986420"],
    ["google", { sub: 110 }, undefined],
    ["google", { email: "ann@gmail.com" }, undefined],
    ["microsoft", { sub: "pairwise", tid, oid: "o" }, `${tid}.o`],
    ["microsoft", { sub: "pairwise", tid }, undefined],
    ["microsoft", { sub: "pairwise", oid: "o" }, undefined],
    ["github", { id: 583231, login: "octocat" }, "583231"],
    ["github", { id: 2 ** 53, login: "octocat" }, undefined],
    ["github", { login: "octocat" }, undefined],
    ["discord", { id: "80351110224678912" }, "80351110224678912"],
    ["facebook", { id: "1" }, "1"],
    ["slack", { sub: "U1", "https://slack.com/team_id": "T1" }, "T1.U1"],
    ["slack", { sub: "U1" }, undefined],
    ["slack", { sub: "U1", "https://slack.com/team_id": "T1.U" }, undefined],
    ["oidc", { sub: "Ann" }, "Ann"],
    ["oidc", { sub: "" }, undefined],
  ];
  for (const [name, claims, expected] of subjects) {
    test(`EP-7 of ${name} in ${JSON.stringify(claims)} is ${expected}`, () => {
      assert.equal(presetOf({ preset: name }).read(claims, providerSettings(name)).subject, expected);
    });
  }

  test("EP-7 of a generic OAuth 2.0 provider is the claim named by the record, and missing otherwise", () => {
    const names = { claim_names: { subject: "data.id" } };
    const read = presetOf({ preset: "oauth2" }).read;
    assert.equal(read({ data: { id: 7 } }, providerSettings("oauth2", names)).subject, "7");
    assert.equal(read({ id: 7, sub: "7" }, providerSettings("oauth2", names)).subject, undefined);
    assert.equal(read({ sub: "7" }, providerSettings("oauth2")).subject, undefined);
  });
});

test("every provider preset exists, and none accepts algorithms that a client secret can sign with", () => {
  assert.deepEqual(
    allPresets.map(({ name }) => name),
    providerPresets,
  );
  for (const { protocol, id_token_algorithms: algorithms } of allPresets) {
    assert.equal(algorithms.length > 0, protocol === "oidc");
    assert.ok(algorithms.every((algorithm) => /^(RS|PS|ES|Ed)/.test(algorithm)));
  }
});
