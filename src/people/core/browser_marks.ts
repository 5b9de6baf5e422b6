/**
 * Marks of browsers in which a user has signed in (docs/decisions/abuse-limits.md). With a mark the user can
 * sign in while guesses by strangers lock the account for everyone else. A mark authenticates no one, and
 * allows only a few guesses.
 */
import { SealError } from "../../crypto/sealing.ts";
import type { User } from "../../records/definition/definition.ts";
import { sessionRowDays } from "../../records/names/liveness.ts";
import type { IdentityContext } from "./context/context.ts";

const day = 86_400_000;
/** After how long a user counts as known in a browser, milliseconds. */
export const knownAfter = day;
/** How long a browser keeps its marks, in days. */
export const browserMarkDays = 365;
/** The most users that one browser is marked for: those who signed in last. */
const mostPeople = 4;
/** Characters of a cookie that may be our own. */
const longest = 2048;
const belongsTo = "browser marks";

interface Mark {
  readonly id: string;
  readonly user_id: string;
  /**
   * `tokens_not_before` of the user, under the name that cookies have: each event that ends their tokens,
   * above all a new password, ends the mark.
   */
  readonly stands: number | null;
  /** Milliseconds since 1970. */
  readonly made_at: number;
  /** When the user first signed in here, milliseconds since 1970; `made_at` where it is not said. */
  readonly first_seen_at?: number;
}

type Marked = Pick<User, "id" | "tokens_not_before">;

const tokensNotBefore = ({ tokens_not_before }: Marked) => tokens_not_before?.getTime() ?? null;

/**
 * The new content of the browser's cookie: a new mark of this user, and the marks of other users that it had.
 * The user's earlier mark preserves the time of first use, unless it has ended; `before` is the user as they
 * were until their change here.
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

/** The id of the user's mark in this browser's cookie; undefined if none is valid. */
export function browserMarkOf(
  cookie: string | undefined,
  user: Marked,
  context: Pick<IdentityContext, "sealer" | "now">,
): string | undefined {
  return markIn(cookie, user, context)?.id;
}

/** Since when this user is known in this browser; undefined if they have no valid mark there. */
function knownInBrowserSince(
  cookie: string | undefined,
  user: Marked,
  context: Pick<IdentityContext, "sealer" | "now">,
): Date | undefined {
  const mark = markIn(cookie, user, context);
  return mark && new Date(firstSeen(mark));
}

/** When this user will have been known in this browser for `knownAfter`; undefined if unknown. */
export function longKnownFrom(
  cookie: string | undefined,
  user: Marked,
  context: Pick<IdentityContext, "sealer" | "now">,
): Date | undefined {
  const since = knownInBrowserSince(cookie, user, context);
  return since && new Date(since.getTime() + knownAfter);
}

/** Whether this user has used this browser for `knownAfter`: an attacker who has just got in has not. */
export function isLongKnown(
  cookie: string | undefined,
  user: Marked,
  context: Pick<IdentityContext, "sealer" | "now">,
): boolean {
  const from = longKnownFrom(cookie, user, context);
  return from !== undefined && context.now() >= from;
}

/** Milliseconds between the first session of an account and its first mark in the same browser, at most. */
const sameMoment = 60_000;

/**
 * Whether the account was first used in this browser, within a week of its creation. No earlier owner exists
 * from whom it could have been stolen. Later the rows of its first sessions may be swept.
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

/** Whether the user signed in from this browser within a year, also before a new password ended its mark. */
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
