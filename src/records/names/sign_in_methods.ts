/**
 * A person's sign-in methods and their consequences (SU-1 to SU-4): `acr`, `amr` and `auth_time` of tokens,
 * and whether a session satisfies sudo. The only definition.
 */
import { isAhead } from "./liveness.ts";
import type { ProviderPreset } from "./names.ts";

/** How long a proof is fresh that sudo takes (SU-6), milliseconds. */
export const sudoAge = 5 * 60_000;

/** Kinds of proof. `mail_code` proves a mailbox, and nothing more (MF-11). */
export const methodKinds = ["password", "passkey", "totp", "recovery_code", "provider", "mail_code"] as const;
export type MethodKind = (typeof methodKinds)[number];

/** One proof that a person gave in a session. */
export type SignInMethod = {
  readonly kind: MethodKind;
  /** The passkey, authenticator or linked account that it was given with; null for a password. */
  readonly credential: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of a passkey: it verified its user, and has shown before that it does (PK-6). */
  readonly uv?: boolean;
  /** From a trusted provider (`trust_amr`): its claims about its own sign-in (RFC 8176). */
  readonly amr?: readonly string[];
  /**
   * Of a provider that did not prove when the person signed in there: it may have let them through unasked,
   * so that the proof is fresh for nothing (EP-15).
   */
  readonly undated?: true;
  /** Of a provider that is one organization's own: it counts for no sudo (docs/decisions/providers.md). */
  readonly of_organization?: true;
  /** Of a provider: when its own session ends (`session_expiry`), milliseconds since 1970. */
  readonly ends_at?: number;
  /** Of a provider: its own session, which its logout tokens name. */
  readonly upstream_sid?: string;
};

/** Authentication Context Class References, OpenID Connect Core 2. */
export const passwordAcr = "urn:postern:acr:password";
export const federatedAcr = "urn:postern:acr:federated";
export const mfaAcr = "urn:postern:acr:mfa";
/** Phishing-resistant (OpenID Connect Extended Authentication Profile ACR Values 1.0). */
export const phishingResistantAcr = "phr";

/** Every level that this server reports, the easiest first. */
export const acrValues = [passwordAcr, federatedAcr, mfaAcr, phishingResistantAcr] as const;
export type Acr = (typeof acrValues)[number];

/** A password and a provider's word are worth the same. */
const ranks: Readonly<Record<Acr, number>> = {
  [passwordAcr]: 1,
  [federatedAcr]: 1,
  [mfaAcr]: 2,
  [phishingResistantAcr]: 3,
};

export function isAcr(text: string): text is Acr {
  return (acrValues as readonly string[]).includes(text);
}

/** Whether a level is as high as another one, or higher. */
export function reachesAcr(held: Acr | undefined, wanted: Acr): boolean {
  return held !== undefined && ranks[held] >= ranks[wanted];
}

/** Authentication Method Reference Values (RFC 8176 2); a recovery code has none registered. */
const amrOfKind: Readonly<Record<MethodKind, readonly string[]>> = {
  password: ["pwd"],
  passkey: ["pop", "user"],
  totp: ["otp"],
  recovery_code: ["urn:postern:amr:recovery_code"],
  provider: [],
  mail_code: [],
};

/** A level and the proofs that it depends on. */
interface Combination {
  readonly acr: Acr;
  readonly rests_on: readonly SignInMethod[];
}

/** The role of each kind in a sign-in. A mailbox is neither factor (MF-11). */
const placeOfKind = {
  password: "first",
  provider: "first",
  passkey: "second",
  totp: "second",
  recovery_code: "second",
  mail_code: "neither",
} as const satisfies Readonly<Record<MethodKind, "first" | "second" | "neither">>;

type KindsAt<P> = {
  [K in MethodKind]: (typeof placeOfKind)[K] extends P ? K : never;
}[MethodKind];
export type FirstKind = KindsAt<"first">;
export type SecondKind = KindsAt<"second">;

export const isFirstKind = (kind: MethodKind): kind is FirstKind => placeOfKind[kind] === "first";
const isSecondKind = (kind: MethodKind): kind is SecondKind => placeOfKind[kind] === "second";

/** Whether these proofs include a second factor, or one that counts as two. */
export function givesSecondFactor(methods: readonly SignInMethod[]): boolean {
  if (methods.some(({ kind }) => isSecondKind(kind))) return true;
  return reachesAcr(authenticationClaims(methods)?.acr, mfaAcr);
}

/** Each level that these proofs reach, by each proof or pair of proofs that reaches it. */
function combinationsOf(methods: readonly SignInMethod[]): Combination[] {
  const firsts = methods.filter(({ kind }) => isFirstKind(kind));
  const seconds = methods.filter(({ kind }) => isSecondKind(kind));
  const alone = methods.flatMap((method): Combination[] => {
    const rests_on = [method];
    if (method.kind === "password") return [{ acr: passwordAcr, rests_on }];
    if (method.kind === "provider") {
      return [{ acr: method.amr?.includes("mfa") ? mfaAcr : federatedAcr, rests_on }];
    }
    return method.kind === "passkey" && method.uv ? [{ acr: phishingResistantAcr, rests_on }] : [];
  });
  const pairs = firsts.flatMap((one) =>
    seconds.map((other): Combination => ({ acr: mfaAcr, rests_on: [one, other] })),
  );
  return [...alone, ...pairs];
}

/** When a proof was given, milliseconds since 1970; long ago where that is not known. */
const givenAt = ({ at, undated }: SignInMethod): number => (undated ? 0 : at);

/** A time up to now, in which a proof is fresh. */
export interface Lately {
  readonly since: Date;
  readonly now: Date;
}

/** The last milliseconds up to now. */
export function lately(milliseconds: number, now: Date): Lately {
  return { since: new Date(now.getTime() - milliseconds), now };
}

/** Whether that was recent. A time in the future is not (docs/decisions/operations.md). */
export function isLately(given_at: Date, { since, now }: Lately): boolean {
  return given_at >= since && !isAhead(given_at, now);
}

/** Whether a proof was given lately. */
export function isGivenLately(method: SignInMethod, when: Lately): boolean {
  return isLately(new Date(givenAt(method)), when);
}

/** When the oldest of the proofs was given, milliseconds since 1970. */
const oldest = ({ rests_on }: Combination): number => Math.min(...rests_on.map(givenAt));

/** The highest of the ways, and of equal ones the freshest. */
function best(combinations: readonly Combination[]): Combination | undefined {
  const [found] = combinations.toSorted(
    (one, other) => ranks[other.acr] - ranks[one.acr] || oldest(other) - oldest(one),
  );
  return found;
}

/** The claims of tokens about a sign-in. */
export interface AuthenticationClaims {
  readonly acr: Acr;
  readonly amr: readonly string[];
  /** The time of the oldest proof of the level (SU-4); undefined if one is undated. */
  readonly auth_time: Date | undefined;
  /**
   * It depends on an organization's own provider: it never counts for sensitive actions
   * (docs/decisions/providers.md).
   */
  readonly of_organization?: true;
}

/**
 * The claims of tokens about these proofs (SU-2, SU-3): the first of `wanted` that they reach, else their
 * highest level. Undefined if they reach none.
 */
export function authenticationClaims(
  methods: readonly SignInMethod[],
  wanted: readonly string[] = [],
): AuthenticationClaims | undefined {
  const combinations = combinationsOf(methods);
  const held = best(combinations);
  if (held === undefined) return undefined;
  const acr = wanted.filter(isAcr).find((each) => reachesAcr(held.acr, each)) ?? held.acr;
  const [freshest] = combinations
    .filter((combination) => reachesAcr(combination.acr, acr))
    .toSorted((one, other) => oldest(other) - oldest(one));
  const { rests_on } = freshest ?? held;
  const since = oldest({ acr, rests_on });
  return {
    acr,
    amr: amrOf(rests_on),
    auth_time: since === 0 ? undefined : new Date(since),
    ...(rests_on.some(({ of_organization }) => of_organization) && { of_organization: true }),
  };
}

function amrOf(methods: readonly SignInMethod[]): readonly string[] {
  const values = methods.flatMap(({ kind, amr = [] }) => [...amrOfKind[kind], ...amr]);
  const several = new Set(methods.map(({ kind }) => kind)).size > 1;
  const verified = methods.some(({ kind, uv }) => kind === "passkey" && uv);
  return [...new Set([...values, ...(several || verified ? ["mfa"] : [])])];
}

/** The recent proofs of a session that count for sensitive actions. */
export function sudoProofs(methods: readonly SignInMethod[], when: Lately): readonly SignInMethod[] {
  return methods.filter((method) => !method.of_organization && isGivenLately(method, when));
}

/** The highest level that those reach; undefined if they reach none. */
export function acrLately(methods: readonly SignInMethod[], when: Lately): Acr | undefined {
  return best(combinationsOf(sudoProofs(methods, when)))?.acr;
}

/** The proofs of a session; rows from before several kinds existed have none. */
export function methodsOf({
  methods,
  authenticated_at,
}: {
  readonly methods: readonly SignInMethod[] | null;
  readonly authenticated_at: Date;
}): readonly SignInMethod[] {
  return methods ?? [{ kind: "password", credential: null, at: authenticated_at.getTime() }];
}

/** Proofs of a session, at most: each record counts once, with its newest proof. */
const mostMethods = 12;

/** The proofs with those given now: an older proof by the same record gives way. */
export function withMethods(
  before: readonly SignInMethod[],
  now: readonly SignInMethod[],
): readonly SignInMethod[] {
  const isSame = (one: SignInMethod, other: SignInMethod) =>
    one.kind === other.kind && one.credential === other.credential;
  const kept = before.filter((method) => !now.some((input) => isSame(input, method)));
  // Those given now stay, also where a clock that was ahead dated earlier ones after them.
  const room = Math.max(0, mostMethods - now.length);
  const newest = kept.toSorted((one, other) => other.at - one.at).slice(0, room);
  return [...newest, ...now].toSorted((one, other) => one.at - other.at);
}

/** A linked account at a provider that is switched on and signs the user in. */
export interface EnrolledProvider {
  /** Of the linked account. */
  readonly id: string;
  readonly slug: string;
  readonly preset: ProviderPreset;
  /** It is one organization's own. */
  readonly of_organization?: true;
}

/** The possible sign-in methods of an account. */
export interface EnrolledMethods {
  readonly password: boolean;
  /** Ids of passkeys that verify their user and are sufficient to sign in. */
  readonly passkeys: readonly string[];
  /** Ids of passkeys that are a second factor only. */
  readonly security_keys: readonly string[];
  /** Ids of authenticator apps. */
  readonly totp: readonly string[];
  /** Number of unused recovery codes. */
  readonly recovery_codes: number;
  /** Linked accounts at providers that are switched on. */
  readonly providers: readonly EnrolledProvider[];
}

/** Whether the account has a first factor for the second one. */
export function hasFirstFactor({
  password,
  providers,
}: Pick<EnrolledMethods, "password" | "providers">): boolean {
  return password || providers.length > 0;
}

/** Kinds of second factors, of which an account's recovery codes are none. */
export const secondFactorKinds = ["passkey", "security_key", "totp"] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** Whether the account requires a second factor after a password or a provider. */
export function hasSecondFactor({ passkeys, security_keys, totp }: EnrolledMethods): boolean {
  return passkeys.length + security_keys.length + totp.length > 0;
}

/** The highest level that an account can reach with all its methods; undefined if it has none. */
export function highestAcr(enrolled: EnrolledMethods): Acr | undefined {
  if (enrolled.passkeys.length > 0) return phishingResistantAcr;
  if (hasFirstFactor(enrolled) && hasSecondFactor(enrolled)) return mfaAcr;
  if (enrolled.password) return passwordAcr;
  return enrolled.providers.length > 0 ? federatedAcr : undefined;
}

/** Whether the account can sign in without these passkeys and linked accounts: the last method stays. */
export function canSignInWithout(enrolled: EnrolledMethods, ids: readonly string[]): boolean {
  const passkeys = enrolled.passkeys.filter((id) => !ids.includes(id));
  const providers = enrolled.providers.filter(({ id }) => !ids.includes(id));
  return highestAcr({ ...enrolled, passkeys, providers }) !== undefined;
}
