/**
 * Whether a record may be used at a moment, and if not, why: stated here alone. SQL that asks the same
 * (`storage/tokens/grant_conditions.ts`, `storage/impact.ts`, `storage/sweep/conditions.ts`) is held to it by
 * tests.
 *
 * Records come as rows, whose times are dates, or as the management API shows them, whose times are ISO 8601
 * texts.
 */
import { sessionIdleLimit } from "./session_limits.ts";

type Moment = Date | string;

export type RecordState = "active" | "inactive" | "revoked" | "expired" | "ended" | "used";

function isPast(moment: Moment, now: Date): boolean {
  return (typeof moment === "string" ? new Date(moment) : moment) <= now;
}

/** Users, organizations and service accounts: switched on or off (spec 2.1, 2.2, 2.11). */
export function stateOfSwitch({ active }: { readonly active: boolean }): RecordState {
  return active ? "active" : "inactive";
}

/** Apps: revoked for good, or switched off (spec 2.6). Their organization decides, too: `clientStands`. */
export function stateOfApp({
  active,
  revoked_at,
}: {
  readonly active: boolean;
  readonly revoked_at: Moment | null;
}): RecordState {
  return revoked_at !== null ? "revoked" : stateOfSwitch({ active });
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
): RecordState {
  const { revoked, expires_at, active = true } = credential;
  if (revoked) return "revoked";
  if (expires_at !== null && isPast(expires_at, now)) return "expired";
  return stateOfSwitch({ active });
}

/** Authorization codes: good once (spec 2.9). */
export function stateOfCode(
  { used, expires_at }: { readonly used: boolean; readonly expires_at: Moment },
  now: Date,
): RecordState {
  if (used) return "used";
  return isPast(expires_at, now) ? "expired" : "active";
}

/** Consents (spec 2.10). */
export function stateOfConsent({
  granted,
  revoked,
}: {
  readonly granted: boolean;
  readonly revoked: boolean;
}): RecordState {
  return revoked || !granted ? "revoked" : "active";
}

/**
 * Sessions: ended, at the end of their days, or unused for twelve hours (design 6.12). Tokens of a session
 * stay active until it is ended or expires: an app may be used for longer than the browser is.
 */
export function stateOfSession(
  session: {
    readonly ended_at: Moment | null;
    readonly expires_at: Moment;
    readonly last_seen_at: Moment;
  },
  now: Date,
): RecordState {
  if (session.ended_at !== null) return "ended";
  const idleSince = new Date(now.getTime() - sessionIdleLimit);
  return isPast(session.expires_at, now) || isPast(session.last_seen_at, idleSince) ? "expired" : "active";
}

interface TokenHalves {
  readonly revoked: boolean;
  readonly access_expires_at: Moment;
  readonly refresh_expires_at: Moment | null;
  readonly rotated_at?: Moment | null;
}

/** The access half of a token (spec 2.8). */
export function stateOfAccess({ revoked, access_expires_at }: TokenHalves, now: Date): RecordState {
  if (revoked) return "revoked";
  return isPast(access_expires_at, now) ? "expired" : "active";
}

/**
 * The refresh half of a token, which is used once it was exchanged; undefined where the token has none (spec
 * 2.8).
 */
export function stateOfRefresh(token: TokenHalves, now: Date): RecordState | undefined {
  const { revoked, refresh_expires_at, rotated_at = null } = token;
  if (refresh_expires_at === null) return undefined;
  if (revoked) return "revoked";
  if (rotated_at !== null) return "used";
  return isPast(refresh_expires_at, now) ? "expired" : "active";
}

/** A token with either half active is active. */
export function stateOfToken(token: TokenHalves, now: Date): RecordState {
  const access = stateOfAccess(token, now);
  return access === "expired" && stateOfRefresh(token, now) === "active" ? "active" : access;
}

/** Whether the record was made before an ending of the record that it depends on (design 6.18). */
export function endedSince(
  record: { readonly tokens_not_before: Date | null } | undefined,
  made_at: Date,
): boolean {
  const ended = record?.tokens_not_before ?? null;
  return ended !== null && made_at <= ended;
}
