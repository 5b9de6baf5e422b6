/**
 * Whether a record may be used at a given time, and if not, why; the only definition. Its SQL is
 * `storage/database/active_rows.ts`; a test keeps both equal (H-23). One rule for every end: a record that
 * expires at a moment has expired when that moment comes. One order of reasons: used, then ended by a person,
 * then expired. Records come as rows, whose times are dates, or as the management API shows them, whose times
 * are ISO 8601 texts.
 */

/** The last moment that both databases store. */
export const lastMoment = new Date("9999-12-31T23:59:59.999Z");

/** Milliseconds after which an unused session has ended, where it has no limit of its own (design 6.12). */
export const usualIdle: number = 12 * 3_600_000;

/**
 * Minimum number of days for which the row of a session is kept: the first sessions show whether an account
 * was first used in a browser.
 */
export const sessionRowDays = 7;

type Moment = Date | string;

export type RecordState = "active" | "inactive" | "revoked" | "expired" | "ended" | "used";

/** Whether an end has come: a record that ends at this very moment has ended. */
export function hasPassed(end: Moment, now: Date): boolean {
  return (typeof end === "string" ? new Date(end) : end) <= now;
}

/** Milliseconds by which the clocks of processes may differ. */
export const clocksDiffer = 60_000;

/**
 * Whether a stored time is in the future: the clock was ahead then, or was set back since. It never counts as
 * recent (docs/decisions/operations.md).
 */
export function isAhead(noted: Moment, now: Date): boolean {
  return new Date(noted) > aheadOf(now);
}

/** The moment after which everything is ahead. */
export function aheadOf(now: Date): Date {
  return new Date(now.getTime() + clocksDiffer);
}

/**
 * The creation time to store now: later than each of these endings, so that a clock that was set back creates
 * nothing already dead (docs/decisions/operations.md).
 */
export function madeAt(now: Date, endings: readonly (Date | null | undefined)[]): Date {
  const latest = Math.max(...endings.map((ending) => ending?.getTime() ?? Number.NEGATIVE_INFINITY));
  return latest < now.getTime() ? now : new Date(latest + 1);
}

/**
 * The time up to which everything of a record ends now: it includes records made after an earlier ending
 * (`madeAt`), even if the clock was set back since.
 */
export function endsUpTo(
  now: Date,
  { tokens_not_before }: { readonly tokens_not_before?: Date | null | undefined },
): Date {
  return madeAt(now, [tokens_not_before]);
}

/** Users, organizations and service accounts: switched on or off (spec 2.1, 2.2, 2.11). */
export function stateOfSwitch({ active }: { readonly active: boolean }): "active" | "inactive" {
  return active ? "active" : "inactive";
}

/** Whether the record exists and is switched on. */
export function isActive<R extends { readonly active: boolean }>(record: R | undefined): record is R {
  return record !== undefined && stateOfSwitch(record) === "active";
}

/**
 * Invitations: for some days, and only while their organization is switched on
 * (docs/decisions/registration-and-invitations.md).
 */
export function stateOfInvitation(
  { expires_at }: { readonly expires_at: Moment },
  organization: { readonly active: boolean } | undefined,
  now: Date,
): "active" | "inactive" | "expired" {
  if (hasPassed(expires_at, now)) return "expired";
  return isActive(organization) ? "active" : "inactive";
}

interface AppSwitches {
  readonly active: boolean;
  readonly revoked_at: Moment | null;
}

/** Apps: permanently revoked, or deactivated (spec 2.6). Their organization counts, too: `stateOfClient`. */
export function stateOfApp({ active, revoked_at }: AppSwitches): "active" | "inactive" | "revoked" {
  return revoked_at !== null ? "revoked" : stateOfSwitch({ active });
}

/** A record that grants and tokens depend on: a user, an app, an organization or a service account. */
export interface EndableRecord {
  readonly active: boolean;
  readonly revoked_at?: Moment | null;
  readonly tokens_not_before: Date | null;
}

/**
 * The state of a record for a grant or token made then: those made before an ending ended with it (design
 * 6.18).
 */
export function stateSince(
  record: EndableRecord,
  made_at: Date,
): "active" | "inactive" | "revoked" | "ended" {
  const { active, revoked_at = null, tokens_not_before } = record;
  const state = stateOfApp({ active, revoked_at });
  if (state !== "active") return state;
  return tokens_not_before !== null && made_at <= tokens_not_before ? "ended" : "active";
}

/**
 * App secrets, API keys and key pairs: a revocation is final, and without an expiry they never expire (spec
 * 2.5, 2.7, 2.12).
 */
export function stateOfCredential(
  credential: {
    readonly revoked: boolean;
    readonly expires_at: Moment | null;
    readonly active?: boolean;
  },
  now: Date,
): "active" | "inactive" | "revoked" | "expired" {
  const { revoked, expires_at, active = true } = credential;
  if (revoked) return "revoked";
  if (!active) return "inactive";
  return expires_at !== null && hasPassed(expires_at, now) ? "expired" : "active";
}

/** Authorization codes: good once (spec 2.9). */
export function stateOfCode(
  { used, expires_at }: { readonly used: boolean; readonly expires_at: Moment },
  now: Date,
): "active" | "used" | "expired" {
  if (used) return "used";
  return hasPassed(expires_at, now) ? "expired" : "active";
}

/** Consents (spec 2.10). */
export function stateOfConsent({
  granted,
  revoked,
}: {
  readonly granted: boolean;
  readonly revoked: boolean;
}): "active" | "revoked" {
  return revoked || !granted ? "revoked" : "active";
}

interface SessionEnds {
  readonly ended_at: Moment | null;
  readonly expires_at: Moment;
}

/** A session as codes see it that were made in it: an app may be used for longer than the browser is. */
export function stateOfIdleSession(
  { ended_at, expires_at }: SessionEnds,
  now: Date,
): "active" | "ended" | "expired" {
  if (ended_at !== null) return "ended";
  return hasPassed(expires_at, now) ? "expired" : "active";
}

/**
 * A session as its browser sees it: ended, at the end of its days, or unused for too long: up to `idle_ends_at`, or
 * for twelve hours (design 6.12).
 */
export function stateOfSession(
  session: SessionEnds & { readonly last_seen_at: Moment; readonly idle_ends_at?: Moment | null },
  now: Date,
): "active" | "ended" | "expired" {
  const state = stateOfIdleSession(session, now);
  if (state !== "active") return state;
  const { last_seen_at, idle_ends_at = null } = session;
  const isIdle =
    idle_ends_at === null ? hasPassed(last_seen_at, idleSince(now)) : hasPassed(idle_ends_at, now);
  return isIdle ? "expired" : "active";
}

/** Whether this session of `user` is active. */
export function isActiveSession(
  session: Parameters<typeof stateOfSession>[0] & { readonly authenticated_at: Date },
  user: EndableRecord,
  now: Date,
): boolean {
  if (stateOfSession(session, now) !== "active") return false;
  // A deactivation ends sessions by its own moment too, so that one which was just being made does not
  // outlive it.
  return stateSince(user, session.authenticated_at) === "active";
}

/** A session without a limit of its own that was last used then, or before, is over. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - usualIdle);
}

interface TokenHalves {
  readonly revoked: boolean;
  readonly access_expires_at: Moment;
  readonly refresh_expires_at: Moment | null;
  readonly rotated_at?: Moment | null;
}

/** The access half of a token (spec 2.8). */
export function stateOfAccess(
  { revoked, access_expires_at }: Pick<TokenHalves, "revoked" | "access_expires_at">,
  now: Date,
): "active" | "revoked" | "expired" {
  if (revoked) return "revoked";
  return hasPassed(access_expires_at, now) ? "expired" : "active";
}

/** The refresh half of a token, used once it was exchanged; undefined if the token has none (spec 2.8). */
export function stateOfRefresh(
  token: Omit<TokenHalves, "access_expires_at">,
  now: Date,
): "active" | "used" | "revoked" | "expired" | undefined {
  const { revoked, refresh_expires_at, rotated_at = null } = token;
  if (refresh_expires_at === null) return undefined;
  if (rotated_at !== null) return "used";
  if (revoked) return "revoked";
  return hasPassed(refresh_expires_at, now) ? "expired" : "active";
}

/** A token with either half active is active. */
export function stateOfToken(token: TokenHalves, now: Date): "active" | "revoked" | "expired" {
  const access = stateOfAccess(token, now);
  return access === "expired" && stateOfRefresh(token, now) === "active" ? "active" : access;
}

/**
 * Signing keys: `next` is published and waits, `signing` signs, `retired` verifies what it signed, `expired`
 * is no longer published (spec 4.6).
 */
export function stateOfSigningKey(
  key: { readonly activates_at: Date; readonly retires_at: Date | null; readonly expires_at: Date | null },
  now: Date,
): "next" | "signing" | "retired" | "expired" {
  const { activates_at, retires_at, expires_at } = key;
  if (expires_at !== null && hasPassed(expires_at, now)) return "expired";
  if (retires_at !== null && hasPassed(retires_at, now)) return "retired";
  return hasPassed(activates_at, now) ? "signing" : "next";
}

/** Hours in which a former address that was brought back does not change again. */
export const emailLockHours = 72;

/**
 * Until when an address does not change, because its former mailbox brought it back (SS-7). It is no longer
 * from now than it was then, also where a clock noted it that was ahead.
 */
export function lockOfEmail(
  { email_locked_until }: { readonly email_locked_until: Date | null },
  now: Date,
): Date | undefined {
  if (email_locked_until === null || hasPassed(email_locked_until, now)) return undefined;
  return new Date(Math.min(email_locked_until.getTime(), now.getTime() + emailLockHours * 3_600_000));
}
