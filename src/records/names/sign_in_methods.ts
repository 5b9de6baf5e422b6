/**
 * A user's authenticators and their effect (SU-1 to SU-4): `acr`, `amr` and `auth_time` of tokens, and
 * whether the user authenticated recently enough for sensitive actions (sudo).
 */
import { isAhead } from "./liveness.ts";
import type { ProviderPreset } from "./names.ts";

/** How long, in milliseconds, a proof counts as recent enough for sensitive actions (sudo, SU-6). */
export const sudoAge = 5 * 60_000;

/** `mail_code`, a code sent by email, proves only access to the mailbox (MF-11). */
export const methodKinds = ["password", "passkey", "totp", "recovery_code", "provider", "mail_code"] as const;
export type MethodKind = (typeof methodKinds)[number];

export type SignInMethod = {
  readonly kind: MethodKind;
  /**
   * The id of the record that produced the proof, such as a passkey or linked account. Null for a password
   * and an emailed code.
   */
  readonly credential: string | null;
  /** When the user provided the proof, in milliseconds since 1970. */
  readonly at: number;
  /** For a passkey: true if it verified its user and is known to be capable of that (PK-6). */
  readonly uv?: boolean;
  /** For a trusted provider (`trust_amr`): the `amr` values that the provider claimed (RFC 8176). */
  readonly amr?: readonly string[];
  /**
   * For a provider that did not prove when the user signed in. The provider possibly requested no credential,
   * so the proof never counts as fresh (EP-15).
   */
  readonly undated?: true;
  /**
   * For a provider that belongs to one organization: the proof never counts for sensitive actions
   * (docs/decisions/providers.md).
   */
  readonly of_organization?: true;
  /** For a provider: when the session at the provider ends (`session_expiry`), in milliseconds since 1970. */
  readonly ends_at?: number;
  /** For a provider: the session at the provider, which the provider's logout tokens name. */
  readonly upstream_sid?: string;
};

/** Values of `acr`, the Authentication Context Class Reference (OpenID Connect Core 2). */
export const passwordAcr = "urn:postern:acr:password";
export const federatedAcr = "urn:postern:acr:federated";
export const mfaAcr = "urn:postern:acr:mfa";
/** Phishing-resistant (OpenID Connect Extended Authentication Profile ACR Values 1.0). */
export const phishingResistantAcr = "phr";

/** Every level that this server reports, the lowest first; the first two are equal. */
export const acrValues = [passwordAcr, federatedAcr, mfaAcr, phishingResistantAcr] as const;
export type Acr = (typeof acrValues)[number];

const ranks: Readonly<Record<Acr, number>> = {
  [passwordAcr]: 1,
  [federatedAcr]: 1,
  [mfaAcr]: 2,
  [phishingResistantAcr]: 3,
};

export function isAcr(text: string): text is Acr {
  return (acrValues as readonly string[]).includes(text);
}

/** Returns whether the level `held` is at least as high as `wanted`; false if there is no level. */
export function reachesAcr(held: Acr | undefined, wanted: Acr): boolean {
  return held !== undefined && ranks[held] >= ranks[wanted];
}

/** Authentication Method Reference Values (RFC 8176 2); none is registered for recovery codes. */
const amrOfKind: Readonly<Record<MethodKind, readonly string[]>> = {
  password: ["pwd"],
  passkey: ["pop", "user"],
  totp: ["otp"],
  recovery_code: ["urn:postern:amr:recovery_code"],
  provider: [],
  mail_code: [],
};

interface Combination {
  readonly acr: Acr;
  readonly rests_on: readonly SignInMethod[];
}

/** Whether each kind of proof is a first factor, a second factor or neither (MF-11). */
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
type FirstKind = KindsAt<"first">;
export type SecondKind = KindsAt<"second">;

export const isFirstKind = (kind: MethodKind): kind is FirstKind => placeOfKind[kind] === "first";
const isSecondKind = (kind: MethodKind): kind is SecondKind => placeOfKind[kind] === "second";

/** Returns whether these proofs include a second factor, or a proof that counts as two factors. */
export function givesSecondFactor(methods: readonly SignInMethod[]): boolean {
  if (methods.some(({ kind }) => isSecondKind(kind))) return true;
  return reachesAcr(authenticationClaims(methods)?.acr, mfaAcr);
}

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

/**
 * Returns when the proof was provided, in milliseconds since 1970; 0 if that is unknown, so the proof never
 * counts as recent.
 */
const givenAt = ({ at, undated }: SignInMethod): number => (undated ? 0 : at);

export interface Lately {
  readonly since: Date;
  readonly now: Date;
}

/** Returns the period of this length up to now. */
export function lately(milliseconds: number, now: Date): Lately {
  return { since: new Date(now.getTime() - milliseconds), now };
}

/** Returns whether the time is in the period. A time in the future (`isAhead`) is not. */
export function isLately(given_at: Date, { since, now }: Lately): boolean {
  return given_at >= since && !isAhead(given_at, now);
}

export function isGivenLately(method: SignInMethod, when: Lately): boolean {
  return isLately(new Date(givenAt(method)), when);
}

const oldest = ({ rests_on }: Combination): number => Math.min(...rests_on.map(givenAt));

function best(combinations: readonly Combination[]): Combination | undefined {
  const [found] = combinations.toSorted(
    (one, other) => ranks[other.acr] - ranks[one.acr] || oldest(other) - oldest(one),
  );
  return found;
}

export interface AuthenticationClaims {
  readonly acr: Acr;
  readonly amr: readonly string[];
  /**
   * The time of the oldest proof that the level depends on (SU-4); undefined if any of these proofs is
   * undated.
   */
  readonly auth_time: Date | undefined;
  /**
   * True if the sign-in depends on an organization's own provider: it never counts for sensitive actions
   * (docs/decisions/providers.md).
   */
  readonly of_organization?: true;
}

/**
 * Returns the token claims for these proofs (SU-2, SU-3). `acr` is the first level of `wanted` that they
 * reach, or else their highest level. Undefined if they reach no level.
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

/** Returns the recent proofs of a session that count for sensitive actions. */
export function sudoProofs(methods: readonly SignInMethod[], when: Lately): readonly SignInMethod[] {
  return methods.filter((method) => !method.of_organization && isGivenLately(method, when));
}

/** Returns the highest level that the recent proofs reach (`sudoProofs`); undefined if they reach none. */
export function acrLately(methods: readonly SignInMethod[], when: Lately): Acr | undefined {
  return best(combinationsOf(sudoProofs(methods, when)))?.acr;
}

/**
 * Returns the proofs of a session. A row that was stored before sessions had a list of proofs counts as a
 * password sign-in.
 */
export function methodsOf({
  methods,
  authenticated_at,
}: {
  readonly methods: readonly SignInMethod[] | null;
  readonly authenticated_at: Date;
}): readonly SignInMethod[] {
  return methods ?? [{ kind: "password", credential: null, at: authenticated_at.getTime() }];
}

const mostMethods = 12;

/**
 * Returns the earlier proofs with the new ones: a new proof replaces an older one of the same authenticator.
 * Beyond `mostMethods`, the oldest of the earlier proofs are dropped.
 */
export function withMethods(
  before: readonly SignInMethod[],
  now: readonly SignInMethod[],
): readonly SignInMethod[] {
  const isSame = (one: SignInMethod, other: SignInMethod) =>
    one.kind === other.kind && one.credential === other.credential;
  const kept = before.filter((method) => !now.some((input) => isSame(input, method)));
  // New proofs are never dropped, even if a clock that was ahead gave earlier ones a later time.
  const room = Math.max(0, mostMethods - now.length);
  const newest = kept.toSorted((one, other) => other.at - one.at).slice(0, room);
  return [...newest, ...now].toSorted((one, other) => one.at - other.at);
}

export interface EnrolledProvider {
  readonly id: string;
  readonly slug: string;
  readonly preset: ProviderPreset;
  readonly of_organization?: true;
}

export interface EnrolledMethods {
  readonly password: boolean;
  /** Ids of passkeys that verify their user and are sufficient to sign in. */
  readonly passkeys: readonly string[];
  /** Ids of passkeys that are only a second factor. */
  readonly security_keys: readonly string[];
  readonly totp: readonly string[];
  readonly recovery_codes: number;
  readonly providers: readonly EnrolledProvider[];
}

/** Returns whether the account has a first factor to combine with a second one. */
export function hasFirstFactor({
  password,
  providers,
}: Pick<EnrolledMethods, "password" | "providers">): boolean {
  return password || providers.length > 0;
}

/**
 * Kinds of second factor. An account that has one of them must use a second factor; recovery codes alone do
 * not have this effect.
 */
export const secondFactorKinds = ["passkey", "security_key", "totp"] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** Returns whether the account requires a second factor after a password or a provider. */
export function hasSecondFactor({ passkeys, security_keys, totp }: EnrolledMethods): boolean {
  return passkeys.length + security_keys.length + totp.length > 0;
}

/**
 * Returns the highest level that an account can reach with all its authenticators; undefined if it cannot
 * sign in. The `amr` of providers is not considered.
 */
export function highestAcr(enrolled: EnrolledMethods): Acr | undefined {
  if (enrolled.passkeys.length > 0) return phishingResistantAcr;
  if (hasFirstFactor(enrolled) && hasSecondFactor(enrolled)) return mfaAcr;
  if (enrolled.password) return passwordAcr;
  return enrolled.providers.length > 0 ? federatedAcr : undefined;
}

/** Returns whether the account can still sign in without these passkeys and linked accounts. */
export function canSignInWithout(enrolled: EnrolledMethods, ids: readonly string[]): boolean {
  const passkeys = enrolled.passkeys.filter((id) => !ids.includes(id));
  const providers = enrolled.providers.filter(({ id }) => !ids.includes(id));
  return highestAcr({ ...enrolled, passkeys, providers }) !== undefined;
}
