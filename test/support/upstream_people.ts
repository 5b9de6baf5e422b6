import { generateKeyPairSync } from "node:crypto";
import { type GenerateKeyPairResult, generateKeyPair } from "jose";
import type { ProviderPreset } from "../../src/records/names/names.ts";

/** A user as each provider describes them. */
export const upstreamPeople: Readonly<Record<ProviderPreset, Record<string, unknown>>> = {
  google: { sub: "1102484", email: "ann@gmail.com", email_verified: true, name: "Ann Ax" },
  microsoft: {
    sub: "pairwise",
    tid: "3338040d-6c67-4c5b-b112-36a304b66dad",
    oid: "0a1b",
    email: "ann@firm.example",
    name: "Ann Ax",
  },
  apple: { sub: "000792.d71.0638", email: "x@privaterelay.appleid.com", email_verified: "true" },
  github: {
    id: 583231,
    login: "ann",
    name: null,
    email: "public@firm.example",
    avatar_url: "https://img.example/a",
    emails: [
      { email: "other@firm.example", primary: false, verified: true },
      { email: "ann@firm.example", primary: true, verified: true },
    ],
  },
  gitlab: { sub: "31", email: "ann@firm.example", email_verified: true, name: "Ann Ax" },
  discord: { id: "80351", username: "ann", email: "ann@firm.example", verified: true },
  facebook: { id: "1022", name: "Ann Ax", email: "ann@firm.example" },
  linkedin: { sub: "782bbtaQ", email: "ann@firm.example", email_verified: true, name: "Ann Ax" },
  slack: {
    sub: "U1",
    "https://slack.com/team_id": "T1",
    email: "ann@firm.example",
    email_verified: true,
    name: "Ann Ax",
  },
  oidc: { sub: "ann", email: "ann@firm.example", email_verified: true, name: "Ann Ax" },
  oauth2: { data: { id: 7, mail: "ann@firm.example" } },
};

/** Creates a key in PEM, as Apple issues it. */
export function applesKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

let first: Promise<GenerateKeyPairResult> | undefined;

/** Returns the first key of each fake, created once because RSA keys take a tenth of a second. */
export function firstKeys(): Promise<GenerateKeyPairResult> {
  first ??= generateKeyPair("RS256");
  return first;
}
