/**
 * Limits on guesses of passwords and codes (L-10, MF-4), and on requests for emails. Attempts are counted in
 * the database before the slow hash, so that parallel guesses cannot bypass the limit.
 */
import type { User } from "../../records/definition/definition.ts";
import { siteOf, sourceOf } from "../../records/definition/request_origin.ts";
import { emailKey } from "../../records/names/email.ts";
import type { Share } from "../../records/names/leaky_buckets.ts";
import { countDown, counterKey, forgetWithin, secondsLeft } from "./attempt_counters.ts";
import { browserMarkOf } from "./browser_marks.ts";
import type { IdentityContext } from "./context/context.ts";
import { findAccount } from "./find_account.ts";
import { addressLimit, isShared, raisedLimit } from "./shared_address.ts";

const window = 15 * 60_000;

/**
 * Maximum sign-in attempts at one account within 15 minutes. `pair` is for one source, and `mark` is for a
 * browser in which the user has signed in before. `site` is for one IPv6 /48, whose holder must not use up
 * the limit `account`.
 */
const limits = { pair: 10, site: 30, account: 100, mark: 10 } as const;
/**
 * Maximum requests for one kind of email to one email address within 15 minutes. Mailed links outlast this
 * window, so the limit locks no user out of them.
 */
const mailLimits = { account: 5 } as const;
/**
 * Maximum number of emails of one kind to one address in 24 hours, because anyone can request them. Requests
 * from marked browsers, and from sources where the user has signed in before, are exempt.
 */
const mailsADay = 20;
const day = 24 * 60 * 60_000;

/**
 * Rates of email requests, checked before any counter is written, because an attacker could otherwise cause
 * many rows from many IP addresses.
 */
const mailRates = (limit: number) => ({
  site: { size: 2 * limit, every: 400_000 / limit },
  all: { size: 500, every: 200 },
});
/** Seconds to wait after email requests exceed `mailRates`. */
const mailPause = 30;

type Counter = { readonly key: Buffer; readonly limit: number };

interface Attempt {
  /** Seconds until the next attempt is checked; undefined if this attempt may proceed. */
  readonly retry_after: number | undefined;
  /** Call this after success. Earlier attempts at the account from this source are forgotten too. */
  forgive(): Promise<void>;
  withdraw(): Promise<void>;
}

type CountedAccount = Pick<User, "id" | "email_key" | "tokens_not_before"> | string;

/** Every spelling of the account's email address counts under the same key (MF-4). */
const countedKey = (account: CountedAccount) =>
  typeof account === "string" ? emailKey(account) : account.email_key;

interface Guess {
  readonly account: CountedAccount;
  readonly client_ip: string | null;
  readonly browser_marks?: string | undefined;
}

export async function countAttempt(guess: Guess, context: IdentityContext): Promise<Attempt> {
  if (!context.throttle) return { retry_after: undefined, async forgive() {}, async withdraw() {} };
  const { store } = context;
  const { account, client_ip } = guess;
  const email_key = countedKey(account);
  const now = context.now();
  const source = sourceOf(client_ip);
  const site = siteOf(client_ip);
  const counter = (limit: keyof typeof limits, ...parts: string[]): Counter => ({
    key: counterKey(context, "sign in", limit, ...parts),
    limit: limits[limit],
  });
  const ofSource = isShared(client_ip, context)
    ? undefined
    : { key: sourceKey(source, context), limit: addressLimit("sign_ins", context) };
  const pair = counter("pair", email_key, source);
  // Remote attackers can use up these limits, so they do not apply to sources where the account's user has
  // signed in before.
  const shared = [
    ...(site === undefined ? [] : [counter("site", email_key, site)]),
    counter("account", email_key),
  ];
  // Narrow limits are counted first, so a source that has used up its own attempts does not use up the
  // account's.
  const counters = [...(ofSource === undefined ? [] : [ofSource]), pair, ...shared];
  const counted: Counter[] = [];
  const marks: Counter[] = [];

  const withdraw = async () => {
    for (const { key } of counted) await countDown(key, context);
  };
  const attempt = (retry_after: number | undefined): Attempt => ({
    retry_after,
    async forgive() {
      await withdraw();
      await forgetWithin(pair.key, ofSource?.key, context);
      for (const { key } of marks) await store.forgetEphemeral("throttle", key);
    },
    withdraw,
  });
  const isWithin = async (each: Counter) => {
    const count = await store.countUp("throttle", each.key, new Date(now.getTime() + window), now);
    counted.push(each);
    if (count <= each.limit) return true;
    return each === ofSource && count <= (await raisedLimit("sign_ins", client_ip, context));
  };
  const isMarked = once(async () => {
    const mark = await markOf(guess, context);
    if (mark === undefined) return false;
    // Bounds the guesses with a copied mark, from all IP addresses together.
    const own = counter("mark", mark);
    marks.push(own);
    return isWithin(own);
  });
  const isKnown = once(() => isKnownThere(account, source, context));

  for (const each of counters) {
    if (await isWithin(each)) continue;
    if (shared.includes(each) && (await isKnown())) continue;
    if (!(await isMarked())) return attempt(await secondsLeft(each.key, now, context));
  }
  return attempt(undefined);
}

/**
 * Maximum attempts at second-factor codes of one user within an hour. The code of an authenticator app has
 * only six digits, and an attacker with the first factor may use many IP addresses. Attackers without a first
 * factor cannot use up this limit (MF-4).
 */
const codesAnHour = 20;
const hour = 60 * 60_000;

async function countCode(user_id: string, context: IdentityContext): Promise<Attempt> {
  if (!context.throttle) return { retry_after: undefined, async forgive() {}, async withdraw() {} };
  const { store } = context;
  const now = context.now();
  const key = counterKey(context, "second factor", user_id);
  const count = await store.countUp("throttle", key, new Date(now.getTime() + hour), now);
  return {
    retry_after: count > codesAnHour ? await secondsLeft(key, now, context) : undefined,
    forgive: () => store.forgetEphemeral("throttle", key),
    withdraw: () => countDown(key, context),
  };
}

/** Counts one attempt before its proofs are checked (L-10, MF-4). */
export async function countProof(
  user: User,
  guess: Omit<Guess, "account">,
  { guessable, code }: { readonly guessable: boolean; readonly code: boolean },
  context: IdentityContext,
): Promise<Attempt> {
  const counted: Attempt[] = [];
  if (guessable) counted.push(await countAttempt({ ...guess, account: user }, context));
  if (code) counted.push(await countCode(user.id, context));
  const waits = counted.flatMap(({ retry_after }) => retry_after ?? []);
  return {
    retry_after: waits.length === 0 ? undefined : Math.max(...waits),
    async forgive() {
      for (const each of counted) await each.forgive();
    },
    async withdraw() {
      for (const each of counted) await each.withdraw();
    },
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}

async function accountOf(account: CountedAccount, { store }: Pick<IdentityContext, "store">) {
  return typeof account === "string" ? findAccount(store, account) : account;
}

async function markOf(
  { account, browser_marks }: Guess,
  context: IdentityContext,
): Promise<string | undefined> {
  if (browser_marks === undefined) return undefined;
  const user = await accountOf(account, context);
  return user && browserMarkOf(browser_marks, user, context);
}

type MailKind =
  | "password reset"
  | "registration"
  | "mailbox of a provider"
  | "mailbox of sudo"
  | "mailbox of a first factor"
  | "lost factors"
  | "recovery";

/** Counts one request for an email. Returns the seconds to wait; undefined if it may proceed. */
export async function countMailRequest(
  kind: MailKind,
  guess: Guess,
  context: IdentityContext,
): Promise<number | undefined> {
  if (!context.throttle) return undefined;
  const { account, client_ip } = guess;
  const email_key = countedKey(account);
  const now = context.now();
  const source = sourceOf(client_ip);
  const shared = isShared(client_ip, context);
  const rates = mailRates(addressLimit("mails", context));
  const shares: Share[] = [
    ...(shared ? [] : [[`${kind}: site ${siteOf(client_ip) ?? source}`, rates.site] as const]),
    [`${kind}: all`, rates.all],
  ];
  if (context.memory.limits.mails(shares, now) !== undefined) return mailPause;
  const count = async (within: number, ...parts: string[]) => {
    const key = counterKey(context, kind, ...parts);
    return {
      key,
      count: await context.store.countUp("throttle", key, new Date(now.getTime() + within), now),
    };
  };
  if (!shared) {
    const bySource = await count(window, "source", source);
    const isOver =
      bySource.count > addressLimit("mails", context) &&
      bySource.count > (await raisedLimit("mails", client_ip, context));
    if (isOver) return secondsLeft(bySource.key, now, context);
  }
  const byAccount = await count(window, "account", email_key);
  if (byAccount.count > mailLimits.account) return secondsLeft(byAccount.key, now, context);
  const today = await count(day, "day", email_key);
  if (today.count <= mailsADay) return undefined;
  if ((await isKnownThere(account, source, context)) || (await markOf(guess, context)) !== undefined) {
    return undefined;
  }
  return secondsLeft(today.key, now, context);
}

/**
 * Counts an email that an operator sends to an account, and returns the seconds until the next one may be
 * sent. There is no limit per source, because one operator may help many users.
 */
export async function countOperatorsMail(
  kind: MailKind,
  { email_key }: Pick<User, "email_key">,
  context: IdentityContext,
): Promise<number | undefined> {
  if (!context.throttle) return undefined;
  const now = context.now();
  for (const { within, most } of [
    { within: window, most: mailLimits.account },
    { within: day, most: mailsADay },
  ]) {
    const key = counterKey(context, kind, "by an operator", String(within), email_key);
    const count = await context.store.countUp("throttle", key, new Date(now.getTime() + within), now);
    if (count > most) return secondsLeft(key, now, context);
  }
  return undefined;
}

/** Maximum requests to change an email address: by one user per hour, and to one new address per day. */
const emailChanges = { user: 5, address: 5 } as const;

/** Counts a request to change the email address. Returns the seconds to wait; undefined if it may proceed. */
export async function countEmailChange(
  user_id: string,
  email_key: string,
  context: IdentityContext,
): Promise<number | undefined> {
  if (!context.throttle) return undefined;
  const now = context.now();
  const counters = [
    { key: counterKey(context, "email change", "user", user_id), within: day / 24, most: emailChanges.user },
    { key: counterKey(context, "email change", "to", email_key), within: day, most: emailChanges.address },
  ];
  for (const { key, within, most } of counters) {
    const count = await context.store.countUp("throttle", key, new Date(now.getTime() + within), now);
    if (count > most) return secondsLeft(key, now, context);
  }
  return undefined;
}

/**
 * Removes all attempts at this account from the counters of this source. Call this after the user has signed
 * in from it.
 */
export async function forgiveAttempts(
  { account, client_ip }: Guess,
  context: IdentityContext,
): Promise<void> {
  const source = sourceOf(client_ip);
  const pair = counterKey(context, "sign in", "pair", countedKey(account), source);
  await forgetWithin(pair, sourceKey(source, context), context);
}

/**
 * Removes one attempt from the counters that several sources share. Call this for the password of a sign-in
 * that succeeded only with a second factor.
 */
export async function withdrawAttempt(
  { account, client_ip }: Guess,
  context: IdentityContext,
): Promise<void> {
  const email_key = countedKey(account);
  const site = siteOf(client_ip);
  const counted = [...(site === undefined ? [] : [["site", email_key, site]]), ["account", email_key]];
  for (const parts of counted) await countDown(counterKey(context, "sign in", ...parts), context);
}

const sourceKey = (source: string, context: IdentityContext) =>
  counterKey(context, "sign in", "source", source);

const mostSessions = 200;

/**
 * Attackers at other sources cannot lock the user out at a source where a session of the account began. Many
 * devices change their IPv6 address daily (RFC 8981), so the /64 networks are compared (`sourceOf`).
 */
async function isKnownThere(
  account: CountedAccount,
  source: string,
  context: IdentityContext,
): Promise<boolean> {
  const { store } = context;
  const user = await accountOf(account, context);
  if (user === undefined) return false;
  const sessions = await store.list(
    "sessions",
    { user_id: user.id },
    { order_by: "id", descending: true, limit: mostSessions },
  );
  return sessions.some(({ client_ip }) => client_ip !== null && sourceOf(client_ip) === source);
}
