/**
 * Decides whether a record may be used at a given time, and if not, why. `storage/database/active_rows.ts`
 * repeats these rules in SQL; a test keeps the two equal (H-23).
 */

export const lastMoment = new Date("9999-12-31T23:59:59.999Z");

/** Milliseconds after which an unused session ends, if it has no limit of its own (design 6.12). */
export const usualIdle: number = 12 * 3_600_000;

/**
 * Minimum days for which the row of a session is stored. During these days, the first session of an account
 * shows in which browser the account was first used.
 */
export const sessionRowDays = 7;

type Moment = Date | string;

export type RecordState = "active" | "failing" | "inactive" | "revoked" | "expired" | "ended" | "used";

/** Returns whether a record that ends at this time has ended; the end is inclusive. */
export function hasPassed(end: Moment, now: Date): boolean {
  return (typeof end === "string" ? new Date(end) : end) <= now;
}

/** How much the clocks of processes may differ, in milliseconds. */
export const clocksDiffer = 60_000;

/**
 * Returns whether a stored time is more than `clocksDiffer` in the future: the clock was ahead then, or was
 * set back since. Such a time never counts as recent (docs/decisions/operations.md).
 */
export function isAhead(noted: Moment, now: Date): boolean {
  return new Date(noted) > aheadOf(now);
}

export function aheadOf(now: Date): Date {
  return new Date(now.getTime() + clocksDiffer);
}

/**
 * Returns the creation time to store, which is later than each of these endings. A new record therefore never
 * counts as ended, even if the clock was set back (docs/decisions/operations.md).
 */
export function madeAt(now: Date, endings: readonly (Date | null | undefined)[]): Date {
  const latest = Math.max(...endings.map((ending) => ending?.getTime() ?? Number.NEGATIVE_INFINITY));
  return latest < now.getTime() ? now : new Date(latest + 1);
}

/**
 * Returns the time up to which everything that depends on a record ends now. The time is later than any
 * earlier ending, so records that `madeAt` dated after that ending end too.
 */
export function endsUpTo(
  now: Date,
  { tokens_not_before }: { readonly tokens_not_before?: Date | null | undefined },
): Date {
  return madeAt(now, [tokens_not_before]);
}

/** Returns the state of a user, an organization or a service account (spec 2.1, 2.2, 2.11). */
export function stateOfSwitch({ active }: { readonly active: boolean }): "active" | "inactive" {
  return active ? "active" : "inactive";
}

/**
 * Returns the state of a webhook endpoint. An active one is `failing` if attempts have failed since its last
 * successful delivery (EV-6).
 */
export function stateOfEndpoint(endpoint: {
  readonly active: boolean;
  readonly failing_since: Moment | null;
}): "active" | "inactive" | "failing" {
  return endpoint.active && endpoint.failing_since !== null ? "failing" : stateOfSwitch(endpoint);
}

export function isActive<R extends { readonly active: boolean }>(record: R | undefined): record is R {
  return record !== undefined && stateOfSwitch(record) === "active";
}

/**
 * Returns the state of an invitation, which is valid for some days and only while its organization is
 * active (docs/decisions/registration-and-invitations.md).
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

/**
 * Returns the state of an app: active, deactivated, or permanently revoked (spec 2.6). `stateOfClient` also
 * considers its organization.
 */
export function stateOfApp({ active, revoked_at }: AppSwitches): "active" | "inactive" | "revoked" {
  return revoked_at !== null ? "revoked" : stateOfSwitch({ active });
}

export interface EndableRecord {
  readonly active: boolean;
  readonly revoked_at?: Moment | null;
  readonly tokens_not_before: Date | null;
}

/**
 * Returns the state of a record for a grant or token that was created at `made_at`. `ended` means that the
 * record is active, but the grant or token was created no later than `tokens_not_before` (design 6.18).
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

/** Returns the state of an app secret, API key or key pair (spec 2.5, 2.7, 2.12). */
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

/** Returns the state of an authorization code, which is valid once (spec 2.9). */
export function stateOfCode(
  { used, expires_at }: { readonly used: boolean; readonly expires_at: Moment },
  now: Date,
): "active" | "used" | "expired" {
  if (used) return "used";
  return hasPassed(expires_at, now) ? "expired" : "active";
}

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

/**
 * Returns the state of a session for the codes issued in it. The idle limit is not checked, because it
 * applies only to the browser.
 */
export function stateOfIdleSession(
  { ended_at, expires_at }: SessionEnds,
  now: Date,
): "active" | "ended" | "expired" {
  if (ended_at !== null) return "ended";
  return hasPassed(expires_at, now) ? "expired" : "active";
}

/** Returns the state of a session for its browser (design 6.12). */
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

export function isActiveSession(
  session: Parameters<typeof stateOfSession>[0] & {
    readonly authenticated_at: Date;
    readonly remembered: boolean;
  },
  user: EndableRecord & { readonly is_platform_admin: boolean },
  now: Date,
): boolean {
  if (stateOfSession(session, now) !== "active") return false;
  // A remembered session ("Keep me signed in") is not valid for a platform administrator, even if the user
  // was appointed after the sign-in (OR-16).
  if (session.remembered && user.is_platform_admin) return false;
  // `stateSince` also compares the time of the last deactivation, so a session that was being created at that
  // moment has ended too.
  return stateSince(user, session.authenticated_at) === "active";
}

/** Returns the time of last use at or before which a session without a limit of its own has ended. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - usualIdle);
}

interface TokenHalves {
  readonly revoked: boolean;
  readonly access_expires_at: Moment;
  readonly refresh_expires_at: Moment | null;
  readonly rotated_at?: Moment | null;
}

/** Returns the state of the access token in a token row (spec 2.8). */
export function stateOfAccess(
  { revoked, access_expires_at }: Pick<TokenHalves, "revoked" | "access_expires_at">,
  now: Date,
): "active" | "revoked" | "expired" {
  if (revoked) return "revoked";
  return hasPassed(access_expires_at, now) ? "expired" : "active";
}

/** Returns the state of the refresh token in a token row; undefined if there is none (spec 2.8). */
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

/**
 * Returns the state of a token row, which is active while its access token or its refresh token is active.
 */
export function stateOfToken(token: TokenHalves, now: Date): "active" | "revoked" | "expired" {
  const access = stateOfAccess(token, now);
  return access === "expired" && stateOfRefresh(token, now) === "active" ? "active" : access;
}

/**
 * Returns the state of a signing key: `next` is published but not yet in use, `signing` signs, `retired`
 * verifies what it signed, `expired` is no longer published (spec 4.6).
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

/** Hours during which a restored former email address cannot change again (SS-7). */
export const emailLockHours = 72;

/**
 * Returns until when the user's email address cannot change, because the user restored it through the former
 * mailbox (SS-7). Undefined if it can change. The lock never lasts longer than `emailLockHours` from now,
 * even if it was written by a clock that was ahead.
 */
export function lockOfEmail(
  { email_locked_until }: { readonly email_locked_until: Date | null },
  now: Date,
): Date | undefined {
  if (email_locked_until === null || hasPassed(email_locked_until, now)) return undefined;
  return new Date(Math.min(email_locked_until.getTime(), now.getTime() + emailLockHours * 3_600_000));
}

/**
 * Returns the key in `ended_grants` of an app, a token family (all tokens of one authorization), a session or
 * a membership. Their ids never collide.
 */
export const endedGrantName = (id: string): string => id.replaceAll("-", "");

/**
 * Returns the time up to which the user's grants to this app, or in this token family, session or membership,
 * have ended. Returns undefined if none have. The user's record stores this time while many token rows still
 * have to be marked as revoked (design 6.18).
 */
export function endOfGrant(
  { ended_grants }: { readonly ended_grants: Readonly<Record<string, unknown>> | null },
  id: string,
): Date | undefined {
  const up_to = ended_grants?.[endedGrantName(id)];
  return typeof up_to === "number" ? new Date(up_to) : undefined;
}
