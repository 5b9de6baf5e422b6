/**
 * Limits on guessing passwords (requirements L-10). Attempts are counted in the database, so that every process sees
 * them, and before the slow hash, so that parallel guesses cannot pass.
 */
import { sourceOf } from "../records/source.ts";
import type { IdentityContext } from "./context.ts";

const window = 15 * 60_000;

/** Attempts within a window. */
const limits = { source: 50, pair: 10, account: 100 } as const;
/**
 * Requests for a new password within a window. Who uses up an account's keeps nobody out: the newest link that was sent lives
 * longer than the window.
 */
const resetLimits = { source: 20, account: 5 } as const;

type Counter = { readonly key: Buffer; readonly limit: number };

export interface Attempt {
  /** Seconds until the next attempt is looked at; undefined when this one may go on. */
  readonly retry_after: number | undefined;
  /** It succeeded: guesses at this account from this source are forgiven, and this one counts for nothing. */
  forgive(): Promise<void>;
  /** It was not looked at after all. */
  withdraw(): Promise<void>;
}

/** Counts one attempt. `email_key` names an account whether or not it exists. */
export async function countAttempt(
  email_key: string,
  client_ip: string | null,
  context: IdentityContext,
): Promise<Attempt> {
  if (!context.throttle) return { retry_after: undefined, async forgive() {}, async withdraw() {} };
  const { store } = context;
  const now = context.now();
  const source = sourceOf(client_ip);
  const counter = (limit: keyof typeof limits, ...parts: string[]): Counter => ({
    key: counterKey(context, "sign in", limit, ...parts),
    limit: limits[limit],
  });
  const pair = counter("pair", email_key, source);
  // The narrow ones first: a source that has used up its own attempts does not use up the account's.
  const counters = [counter("source", source), pair, counter("account", email_key)] as const;
  const counted: Counter[] = [];

  const withdraw = async () => {
    for (const { key } of counted) await countDown(key, context);
  };
  const attempt = (retry_after: number | undefined): Attempt => ({
    retry_after,
    async forgive() {
      await withdraw();
      await store.forgetEphemeral("throttle", pair.key);
    },
    withdraw,
  });

  for (const each of counters) {
    const count = await store.countUp("throttle", each.key, new Date(now.getTime() + window), now);
    counted.push(each);
    if (count <= each.limit) continue;
    const guarded = each !== counters[2] || !(await isKnownThere(email_key, client_ip, context));
    if (guarded) return attempt(await secondsLeft(each.key, now, context));
  }
  return attempt(undefined);
}

/**
 * Counts one request for a new password; the seconds until the next one is looked at, undefined when this one may go on.
 * `email_key` names an account whether or not it exists.
 */
export async function countResetRequest(
  email_key: string,
  client_ip: string | null,
  context: IdentityContext,
): Promise<number | undefined> {
  if (!context.throttle) return undefined;
  const now = context.now();
  const expires_at = new Date(now.getTime() + window);
  const counters: readonly Counter[] = [
    {
      key: counterKey(context, "password reset", "source", sourceOf(client_ip)),
      limit: resetLimits.source,
    },
    { key: counterKey(context, "password reset", "account", email_key), limit: resetLimits.account },
  ];
  for (const { key, limit } of counters) {
    const count = await context.store.countUp("throttle", key, expires_at, now);
    if (count > limit) return secondsLeft(key, now, context);
  }
  return undefined;
}

/** Forgives the guesses at this account from this source: who is there has proved otherwise whose it is. */
export async function forgiveAttempts(
  email_key: string,
  client_ip: string | null,
  context: IdentityContext,
): Promise<void> {
  const key = counterKey(context, "sign in", "pair", email_key, sourceOf(client_ip));
  await context.store.forgetEphemeral("throttle", key);
}

/** Under a key of ours: the table tells neither who signs in nor from where. */
function counterKey({ sealer }: IdentityContext, ...parts: string[]): Buffer {
  return Buffer.from(sealer.mac("ephemera", JSON.stringify(parts)), "base64url");
}

/**
 * The account's own limit, which strangers can use up, does not bind where its user has signed in before: nobody can be
 * locked out of their own place for ever. The limit on the pair still holds there.
 */
async function isKnownThere(
  email_key: string,
  client_ip: string | null,
  { store }: IdentityContext,
): Promise<boolean> {
  if (client_ip === null) return false;
  const user = await store.find("users", { email_key });
  return user !== undefined && (await store.find("sessions", { user_id: user.id, client_ip })) !== undefined;
}

async function secondsLeft(key: Buffer, now: Date, { store }: IdentityContext): Promise<number> {
  const row = await store.find("ephemera", { kind: "throttle", key });
  const left = row === undefined ? 0 : row.expires_at.getTime() - now.getTime();
  return Math.max(1, Math.ceil(left / 1000));
}

/** Takes one from a counter unless somebody else changed it meanwhile: one attempt more or less is no matter. */
async function countDown(key: Buffer, { store }: IdentityContext): Promise<void> {
  const row = await store.find("ephemera", { kind: "throttle", key });
  if (row === undefined || row.count < 1) return;
  await store.update("ephemera", { id: row.id, count: row.count }, { count: row.count - 1 });
}
