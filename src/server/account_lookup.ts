/**
 * Asks the hook at `POSTERN_ACCOUNT_LOOKUP_URL` about unknown email addresses, and about imported users who
 * have no password yet (MG-9).
 */
import { setTimeout as wait } from "node:timers/promises";
import type { AdminContext } from "../admin/access/actor.ts";
import { importPerson } from "../admin/imports/import_people.ts";
import type { Config } from "../config.ts";
import { bytesOf, composedPassword } from "../crypto/hashing/composed_password.ts";
import { webhookHeaders } from "../crypto/standard_webhooks.ts";
import { type Outbound, type OutboundAnswer, OutboundError } from "../outbound/outbound.ts";
import type { AccountLookup } from "../people/core/context/account_lookup.ts";
import { findAccount } from "../people/core/find_account.ts";
import type { User } from "../records/definition/definition.ts";
import { emailKey, isMailable, trimEmail } from "../records/names/email.ts";
import { isObject } from "../records/names/json_shapes.ts";
import { isActive } from "../records/names/liveness.ts";

/**
 * Maximum number of concurrent lookups of a process; at this limit, a further email address is treated as
 * unknown.
 */
export const mostLookups = 20;

const timeout = 3000;
const max_bytes = 65_536;

/** After this number of consecutive failures, the hook is not called for `pause` milliseconds. */
const mostFailures = 5;
const pause = 30_000;

/**
 * Optional fields of the hook's response that are imported. `totp` (an authenticator app) is the only second
 * factor.
 */
const givenMembers = [
  ...["external_id", "id", "email_verified_at", "name", "avatar_url", "active", "created_at", "totp"],
] as const;

export interface AccountLookupParts {
  readonly settings: NonNullable<Config["account_lookup"]>;
  readonly outbound: Outbound;
  readonly admin: Omit<AdminContext, "actor">;
  readonly log: { warn(fields: object, message: string): void };
}

type Reason = "sign_in" | "password_reset";

interface Found {
  readonly password: unknown;
  readonly person: Readonly<Record<string, unknown>> & { readonly email: string };
}

export function accountLookup({ settings, outbound, admin, log }: AccountLookupParts): AccountLookup {
  const { url, secret, until, send_password, answer_time, source } = settings;
  const { store, passwords, now } = admin;
  const context: AdminContext = { ...admin, actor: { kind: "system", label: "account lookup" } };
  const breaker = circuitBreaker(now, () =>
    log.warn({ pause_seconds: pause / 1000 }, "the account lookup keeps failing and is paused"),
  );
  const isOver = () => now() >= until;

  async function ask(email: string, reason: Reason, password?: string): Promise<Found | undefined> {
    if (isOver() || !isMailable(email) || !breaker.admits()) return undefined;
    const at = now();
    const id = `msg_${crypto.randomUUID()}`;
    const data = { email, reason, ...(password !== undefined && { password }) };
    const body = JSON.stringify({ type: "account_lookup", timestamp: at.toISOString(), data });
    try {
      const answer = await outbound.send({
        ...{ method: "POST", url, accept: "application/json", max_bytes, timeout },
        body: { type: "application/json", text: body },
        headers: webhookHeaders({ id, at, body }, secret),
      });
      breaker.note(answer.status < 500 && answer.status !== 429);
      return foundIn(answer, email);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      // Too many concurrent requests are this process's fault, so they do not count as a failure of the hook.
      breaker.note(error.kind === "busy" ? undefined : false);
      return undefined;
    }
  }

  async function moveIn({ person }: Found, user: User | undefined, argon2id?: string): Promise<boolean> {
    const { external_id, email } = person;
    const password = argon2id === undefined ? {} : { password: { argon2id } };
    const known = user && (await store.find("imported_people", { user_id: user.id, source }));
    if (user !== undefined && external_id !== undefined && known?.external_id !== external_id) return false;
    const line = known ? { external_id: known.external_id, email, ...password } : { ...person, ...password };
    const { status, errors } = await importPerson(context, line, { source, only_new: known === undefined });
    const codes = errors.map(({ path, code }) => `${path} ${code}`);
    if (status === "refused")
      log.warn({ errors: codes }, "the account lookup returned a user that cannot be imported");
    return status === "created" || status === "updated";
  }

  async function isWaiting(user: User): Promise<boolean> {
    const { id: user_id, password_hash, last_login_at, is_platform_admin } = user;
    if (password_hash !== null || last_login_at !== null || is_platform_admin || !isActive(user))
      return false;
    return (await store.find("imported_people", { user_id, source })) !== undefined;
  }

  async function tryPassword({
    email,
    password,
    user,
    source: caller,
  }: Omit<Parameters<AccountLookup["byPassword"]>[0], "within">): Promise<boolean> {
    if (bytesOf(composedPassword(password)) === undefined) return false;
    if (user !== undefined && !(await isWaiting(user))) return false;
    const found = await ask(trimEmail(email), "sign_in", password);
    if (found?.password !== "right") return false;
    return moveIn(found, user, await passwords.hash(password, "sign_in", caller));
  }

  return {
    answerTime: () => (send_password && !isOver() ? answer_time : undefined),
    async byPassword({ within, ...typed }) {
      const over = new AbortController();
      try {
        const timer = wait(within, false, { signal: over.signal });
        return await Promise.race([tryPassword(typed), timer]);
      } finally {
        over.abort();
      }
    },
    async byAddress(email) {
      try {
        if ((await findAccount(store, email)) !== undefined) return;
        const found = await ask(trimEmail(email), "password_reset");
        if (found !== undefined) await moveIn(found, undefined);
      } catch (err) {
        log.warn({ err }, "an account lookup for a password reset failed");
      }
    },
  };
}

function foundIn({ status, body }: OutboundAnswer, email: string): Found | undefined {
  if (status !== 200) return undefined;
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString());
  } catch {
    return undefined;
  }
  if (!isObject(answer) || answer.found !== true) return undefined;
  const user = isObject(answer.user) ? answer.user : {};
  const its = user.email ?? email;
  if (typeof its !== "string" || emailKey(trimEmail(its)) !== emailKey(email)) return undefined;
  const given = givenMembers.flatMap((name) => (user[name] === undefined ? [] : [[name, user[name]]]));
  return { password: answer.password, person: { ...Object.fromEntries(given), email } };
}

function circuitBreaker(now: () => Date, onOpen: () => void) {
  let failures = 0;
  let closed_until = 0;
  return {
    admits(): boolean {
      if (failures < mostFailures) return true;
      const at = now().getTime();
      // If the pause would end later than `pause` from now, the clock was set back, and the pause does not
      // apply.
      if (at < closed_until && closed_until - at <= pause) return false;
      closed_until = at + pause;
      return true;
    },
    /** Undefined means that no request was sent. */
    note(isFine: boolean | undefined): void {
      if (isFine === undefined) return;
      failures = isFine ? 0 : failures + 1;
      if (failures < mostFailures) return;
      closed_until = now().getTime() + pause;
      if (failures === mostFailures) onOpen();
    },
  };
}
