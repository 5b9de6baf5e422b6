/**
 * Marks of the users who have signed in with a browser, in an encrypted cookie
 * (docs/decisions/abuse-limits.md). A mark does not authenticate; it allows a few guesses while others'
 * guesses lock the account.
 */
import { SealError } from "../../crypto/sealing.ts";
import type { User } from "../../records/definition/definition.ts";
import { sessionRowDays } from "../../records/names/liveness.ts";
import type { IdentityContext } from "./context/context.ts";

const day = 86_400_000;
/** Time from a user's first sign-in with a browser until the browser counts as familiar, in milliseconds. */
export const knownAfter = day;
export const browserMarkDays = 365;
const mostPeople = 4;
/**
 * Maximum length of the cookie, in characters. This server never sets a longer one, so a longer one is
 * ignored without being decrypted.
 */
const longest = 2048;
const belongsTo = "browser marks";

interface Mark {
  readonly id: string;
  readonly user_id: string;
  /**
   * The user's `tokens_not_before` when the mark was created. Every event that ends the user's tokens also
   * ends the mark.
   */
  readonly stands: number | null;
  /** Milliseconds since 1970. */
  readonly made_at: number;
  /** Milliseconds since 1970; defaults to `made_at`. */
  readonly first_seen_at?: number;
}

type Marked = Pick<User, "id" | "tokens_not_before">;

const tokensNotBefore = ({ tokens_not_before }: Marked) => tokens_not_before?.getTime() ?? null;

/**
 * Returns the new cookie value with a fresh mark for this user. The mark keeps the age of an earlier mark
 * that is valid for `before`, for example the user's row before a new password.
 */
export function markBrowser(
  cookie: string | undefined,
  user: Marked,
  { sealer, now }: Pick<IdentityContext, "sealer" | "now">,
  before: Marked = user,
): string {
  const made_at = now().getTime();
  const earlier = markIn(cookie, before, { sealer, now });
  const mark: Mark = {
    id: crypto.randomUUID(),
    user_id: user.id,
    stands: tokensNotBefore(user),
    made_at,
    first_seen_at: earlier === undefined ? made_at : firstSeen(earlier),
  };
  const others = marksIn(cookie, { sealer }).filter(({ user_id }) => user_id !== user.id);
  return sealer.seal("cookie", JSON.stringify([mark, ...others].slice(0, mostPeople)), belongsTo);
}

/** Returns the ID of the user's mark in this browser's cookie, or undefined if no mark is valid. */
export function browserMarkOf(
  cookie: string | undefined,
  user: Marked,
  context: Pick<IdentityContext, "sealer" | "now">,
): string | undefined {
  return markIn(cookie, user, context)?.id;
}

function knownInBrowserSince(
  cookie: string | undefined,
  user: Marked,
  context: Pick<IdentityContext, "sealer" | "now">,
): Date | undefined {
  const mark = markIn(cookie, user, context);
  return mark && new Date(firstSeen(mark));
}

/**
 * Returns the time `knownAfter` after the user's first sign-in with this browser; undefined without a valid
 * mark.
 */
export function longKnownFrom(
  cookie: string | undefined,
  user: Marked,
  context: Pick<IdentityContext, "sealer" | "now">,
): Date | undefined {
  const since = knownInBrowserSince(cookie, user, context);
  return since && new Date(since.getTime() + knownAfter);
}

/**
 * Returns whether the user first signed in with this browser at least `knownAfter` ago. An attacker who has
 * just signed in has not.
 */
export function isLongKnown(
  cookie: string | undefined,
  user: Marked,
  context: Pick<IdentityContext, "sealer" | "now">,
): boolean {
  const from = longKnownFrom(cookie, user, context);
  return from !== undefined && context.now() >= from;
}

/**
 * An account's first session and a browser's first mark at most this far apart count as the same sign-in, in
 * milliseconds.
 */
const sameMoment = 60_000;

/**
 * Returns whether the account was created within the past week and first used in this browser. Such an
 * account had no earlier owner from whom it could have been stolen.
 */
export async function beganHere(
  cookie: string | undefined,
  user: Marked & Pick<User, "created_at">,
  context: Pick<IdentityContext, "sealer" | "now" | "store">,
): Promise<boolean> {
  const since = knownInBrowserSince(cookie, user, context);
  if (since === undefined) return false;
  if (context.now().getTime() - user.created_at.getTime() >= sessionRowDays * day) return false;
  const oldest = { limit: 1, order_by: "id" } as const;
  const [first] = await context.store.list("sessions", { user_id: user.id }, oldest);
  return first === undefined || since.getTime() - first.created_at.getTime() <= sameMoment;
}

const firstSeen = ({ first_seen_at, made_at }: Mark): number => first_seen_at ?? made_at;

function markIn(
  cookie: string | undefined,
  user: Marked,
  { sealer, now }: Pick<IdentityContext, "sealer" | "now">,
): Mark | undefined {
  const youngest = now().getTime() - browserMarkDays * day;
  return marksIn(cookie, { sealer }).find(
    ({ user_id, stands, made_at }) =>
      user_id === user.id && stands === tokensNotBefore(user) && made_at > youngest,
  );
}

/**
 * Returns whether the user signed in from this browser within the past year. A mark that a new password
 * ended still counts.
 */
export function hasBeenHere(
  cookie: string | undefined,
  { id }: Pick<User, "id">,
  { sealer, now }: Pick<IdentityContext, "sealer" | "now">,
): boolean {
  const youngest = now().getTime() - browserMarkDays * day;
  return marksIn(cookie, { sealer }).some(({ user_id, made_at }) => user_id === id && made_at > youngest);
}

function marksIn(cookie: string | undefined, { sealer }: Pick<IdentityContext, "sealer">): readonly Mark[] {
  if (cookie === undefined || cookie.length > longest) return [];
  try {
    return JSON.parse(sealer.open("cookie", cookie, belongsTo)) as Mark[];
  } catch (error) {
    if (error instanceof SealError) return [];
    throw error;
  }
}
