/** The result of each set of proofs, compared with the rules as restated here (SU-1, SU-2, SU-4). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  acrLately,
  acrValues,
  authenticationClaims,
  canSignInWithout,
  type EnrolledMethods,
  type SignInMethod,
} from "../../src/records/names/sign_in_methods.ts";
import { words } from "../support/lists.ts";

const password = "urn:postern:acr:password";
const federated = "urn:postern:acr:federated";
const mfa = "urn:postern:acr:mfa";

/** One proof for each different result, with its own `amr`. */
const proofs = {
  password: { method: { kind: "password" }, amr: ["pwd"] },
  provider: { method: { kind: "provider" }, amr: [] },
  trusted_provider: { method: { kind: "provider", amr: ["hwk", "mfa"] }, amr: ["hwk", "mfa"] },
  totp: { method: { kind: "totp" }, amr: ["otp"] },
  recovery_code: { method: { kind: "recovery_code" }, amr: ["urn:postern:amr:recovery_code"] },
  security_key: { method: { kind: "passkey", uv: false }, amr: ["pop", "user"] },
  passkey: { method: { kind: "passkey", uv: true }, amr: ["pop", "user"] },
  mail_code: { method: { kind: "mail_code" }, amr: [] },
} as const;
type Proof = keyof typeof proofs;
const names = Object.keys(proofs) as Proof[];

const firsts: readonly Proof[] = ["password", "provider", "trusted_provider"];
const seconds: readonly Proof[] = ["totp", "recovery_code", "security_key", "passkey"];

interface Expected {
  readonly acr: string;
  readonly rank: number;
  readonly rests_on: readonly Proof[];
}

/** Returns every level that a set of proofs reaches, and by which proofs. */
function reached(held: readonly Proof[]): Expected[] {
  const found: Expected[] = [];
  const has = (name: Proof) => held.includes(name);
  if (has("passkey")) found.push({ acr: "phr", rank: 3, rests_on: ["passkey"] });
  if (has("trusted_provider")) found.push({ acr: mfa, rank: 2, rests_on: ["trusted_provider"] });
  for (const first of firsts.filter(has))
    for (const second of seconds.filter(has)) found.push({ acr: mfa, rank: 2, rests_on: [first, second] });
  if (has("password")) found.push({ acr: password, rank: 1, rests_on: ["password"] });
  if (has("provider")) found.push({ acr: federated, rank: 1, rests_on: ["provider"] });
  return found;
}

const rankOf: Readonly<Record<string, number>> = { [password]: 1, [federated]: 1, [mfa]: 2, phr: 3 };

const subsets = Array.from({ length: 2 ** names.length }, (_, bits) =>
  names.filter((_name, index) => (bits >> index) & 1),
);

/** Orders in which the proofs were given; each has its own time. */
const orders: readonly (readonly Proof[])[] = [
  names,
  names.toReversed(),
  words("totp passkey password mail_code trusted_provider security_key provider recovery_code") as Proof[],
  words("provider recovery_code trusted_provider security_key totp password mail_code passkey") as Proof[],
];
const step = 60_000;

const input = (held: readonly Proof[], order: readonly Proof[]): SignInMethod[] =>
  held.map((name) => ({ credential: name, ...proofs[name].method, at: (order.indexOf(name) + 1) * step }));

describe("the acr, amr and auth_time of a session", () => {
  for (const wish of [undefined, ...acrValues, "urn:somebody:else"])
    test(`SU-1, SU-2, SU-4: follow from each of ${subsets.length} sets of sign-in methods, with requested acr ${wish}`, () => {
      for (const order of orders)
        for (const held of subsets) {
          const reported = authenticationClaims(input(held, order), wish === undefined ? [] : [wish]);
          const ways = reached(held);
          if (ways.length === 0) {
            assert.equal(reported, undefined, held.join());
            continue;
          }
          const at = (name: Proof) => (order.indexOf(name) + 1) * step;
          const oldest = ({ rests_on }: Expected) => Math.min(...rests_on.map(at));
          const top = Math.max(...ways.map(({ rank }) => rank));
          const wished = rankOf[wish ?? ""];
          const isMet = wished !== undefined && wished <= top;
          const rank = isMet ? wished : top;
          const auth_time = Math.max(...ways.filter((way) => way.rank >= rank).map(oldest));
          const of = held.join();
          assert.equal(reported?.auth_time?.getTime(), auth_time, of);
          const shown = ways.filter((way) => way.rank >= rank && oldest(way) === auth_time);
          const claims = shown.map(({ rests_on }) => {
            const several = new Set(rests_on.map((name) => proofs[name].method.kind)).size > 1;
            const amr = rests_on.flatMap((name) => [...proofs[name].amr]);
            if (several || rests_on.includes("passkey")) amr.push("mfa");
            return [...new Set<string>(amr)].toSorted().join();
          });
          assert.ok(claims.includes((reported?.amr ?? []).toSorted().join()), `${of}: ${reported?.amr}`);
          if (isMet) assert.equal(reported?.acr, wish, of);
          else assert.equal(rankOf[reported?.acr ?? ""], top, of);
        }
    });

  test("SU-2: of a session with only a password are those of a password", () => {
    const reported = authenticationClaims([{ kind: "password", credential: null, at: 5000 }]);
    assert.deepEqual(reported, { acr: password, amr: ["pwd"], auth_time: new Date(5000) });
  });

  test("SU-4: do not make an old password count as recent after a new one-time code", () => {
    const methods = input(["password", "totp"], ["password", "totp"]);
    assert.equal(authenticationClaims(methods)?.auth_time?.getTime(), step);
    assert.equal(acrLately(methods, { since: new Date(step), now: new Date(1_000_000) }), mfa);
    assert.equal(acrLately(methods, { since: new Date(step + 1), now: new Date(1_000_000) }), undefined);
  });

  test("EP-15: never treat a provider sign-in without auth_time as recent, alone or with a one-time code", () => {
    const undated: SignInMethod = { kind: "provider", credential: "link", at: 9000, undated: true };
    const code: SignInMethod = { kind: "totp", credential: "app", at: 9000 };
    const old: SignInMethod = { kind: "password", credential: null, at: 1000 };
    const reported = (...methods: SignInMethod[]) => authenticationClaims(methods);
    assert.deepEqual(reported(undated), { acr: "urn:postern:acr:federated", amr: [], auth_time: undefined });
    assert.deepEqual([reported(undated, code)?.acr, reported(undated, code)?.auth_time], [mfa, undefined]);
    assert.deepEqual(reported(old, undated)?.auth_time, new Date(1000), "what is known is told");
    assert.equal(acrLately([undated, code], { since: new Date(1), now: new Date(1_000_000) }), undefined);
  });
});

describe("EP-13, PK-11: the protection of the last sign-in method", () => {
  const none: EnrolledMethods = {
    password: false,
    passkeys: [],
    security_keys: [],
    totp: [],
    recovery_codes: 0,
    providers: [],
  };
  const link = (id: string) => ({ id, slug: id, preset: "github" }) as const;
  const cases: readonly [string, Partial<EnrolledMethods>, readonly string[], boolean][] = [
    ["a password stays with everything else gone", { password: true, passkeys: ["key"] }, ["key"], true],
    ["another passkey is a way in", { passkeys: ["key", "other"] }, ["key"], true],
    ["the only passkey is the last way", { passkeys: ["key"] }, ["key"], false],
    ["all passkeys together are the last way", { passkeys: ["key", "other"] }, ["key", "other"], false],
    ["another link is a way in", { providers: [link("one"), link("other")] }, ["one"], true],
    ["the only link is the last way", { providers: [link("one")] }, ["one"], false],
    ["a link beside the passkey is a way in", { passkeys: ["key"], providers: [link("one")] }, ["key"], true],
    [
      "second factors alone are none",
      { passkeys: ["key"], security_keys: ["second"], totp: ["app"], recovery_codes: 10 },
      ["key"],
      false,
    ],
    ["what the account does not have changes nothing", { passkeys: ["key"] }, ["unknown"], true],
  ];
  for (const [title, enrolled, lost, left] of cases)
    test(`EP-13, PK-11: ${title}`, () =>
      assert.equal(canSignInWithout({ ...none, ...enrolled }, lost), left));
});
