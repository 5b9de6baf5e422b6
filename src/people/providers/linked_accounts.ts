import { isDeepStrictEqual } from "node:util";
import { upstreamAccountKey } from "../../crypto/upstream_account_key.ts";
import { orTaken } from "../../errors/violations.ts";
import type { OAuthAccount, User } from "../../records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import { newUser } from "../../records/formats/new_user.ts";
import { isSameMailbox } from "../../records/names/email.ts";
import { endsUpTo } from "../../records/names/liveness.ts";
import { recordLock, userLock } from "../../records/names/lock_names.ts";
import { canSignInWithout } from "../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { Provided } from "../../storage/people/provided_attributes.ts";
import { auditOwnAct } from "../core/audit_own_act.ts";
import type { IdentityContext } from "../core/context/context.ts";
import type { IsInviterActive } from "../core/is_invited.ts";
import { type OpenProof, redeemProof } from "../core/proofs/proofs.ts";
import type { Provider, ReturnedAccount } from "../core/proofs/provider_account.ts";
import {
  consumeInvitation,
  isWithinReach,
  type Joining,
  joiningOf,
  joinOrganization,
  maySignUp,
} from "./provider_people.ts";
import { removeLink } from "./unproved_links.ts";

/**
 * Returns the link between a provider account and a user. A link created for another provider record with the
 * same slug does not count (EP-2).
 */
export async function findLink(
  { slug }: Pick<Provider, "slug">,
  { subject: provider_user_id, provider_id }: Pick<ReturnedAccount, "subject" | "provider_id">,
  reads: Pick<IdentityContext["store"], "find">,
): Promise<OAuthAccount | undefined> {
  return reads.find("oauth_accounts", { provider: slug, provider_user_id, provider_id });
}

/** Returns the user of a provider account, whether or not the user may sign in. */
export async function findLinkedUser(
  provider: Pick<Provider, "slug">,
  account: Pick<ReturnedAccount, "subject" | "provider_id">,
  { store }: Pick<IdentityContext, "store">,
): Promise<User | undefined> {
  const link = await findLink(provider, account, store);
  return link && (await store.find("users", { id: link.user_id }));
}

interface NewLink {
  readonly provider: Provider;
  readonly account: ReturnedAccount;
  readonly origin: RequestOrigin;
  readonly asked_in?: SignedIn | undefined;
  readonly proof?: OpenProof<"provider_account"> | undefined;
}

type LinkOutcome =
  | { readonly type: "linked"; readonly user: User; readonly link: OAuthAccount }
  | { readonly type: "changed" }
  /**
   * Another user has linked the account, through another provider record with the same slug or through none
   * (EP-2).
   */
  | { readonly type: "linked_elsewhere" };

/**
 * Links a provider account to a user. `take_over` removes the password and ends all sessions and tokens,
 * because the user's email address was not verified before.
 */
export async function linkAccount(
  user: User,
  input: NewLink,
  { proved_email, take_over = false }: { readonly proved_email: boolean; readonly take_over?: boolean },
  context: IdentityContext,
): Promise<LinkOutcome> {
  const { store, now } = context;
  const at = now();
  const once = () =>
    store.transaction(async (tx): Promise<LinkOutcome> => {
      await tx.lock(userLock(user.id), recordLock("providers", input.provider.id));
      const current = await tx.find("users", { id: user.id });
      if (!current?.active || !isSameMailbox(current.email, user.email)) return { type: "changed" };
      const { asked_in } = input;
      if (asked_in && (await store.wasShutOut(tx, asked_in.session, at))) return { type: "changed" };
      if (take_over && current.email_verified_at !== null) return { type: "changed" };
      if (!(await isWithinReach(input.provider, current, tx, at))) return { type: "changed" };
      if (!(await mayBeMade(input, tx, at, context))) return { type: "changed" };
      if (await isAnothers(input, user.id, tx)) return { type: "linked_elsewhere" };
      const changes = {
        ...(proved_email && current.email_verified_at === null && { email_verified_at: at }),
        ...(take_over && { password_hash: null, tokens_not_before: endsUpTo(at, current) }),
      };
      if (Object.keys(changes).length > 0) await tx.update("users", { id: user.id }, changes);
      if (take_over) await store.forgetForeignPassword(tx, current.password_hash);
      const link = await insertLink({ ...current, ...changes }, input, at, tx, context);
      return { type: "linked", user: { ...current, ...changes }, link };
    });
  // If the same link was created concurrently, the second attempt finds it.
  const outcome = await orTaken(once(), once);
  if (take_over && outcome.type === "linked") {
    await store.endEverythingOf(user.id, "password_changed", at);
  }
  return outcome;
}

type NewUserOutcome = LinkOutcome | { readonly type: "refused"; readonly field: "name" | "email" };

interface NewAccount {
  readonly name: string;
  readonly email: string;
  /** As the page announced it. */
  readonly joining?: Joining | undefined;
  readonly isInviterActive: IsInviterActive;
}

/** Creates a user together with the link and, for an organization's provider, the membership (EP-10). */
export async function makeLinkedUser(
  { name, email, isInviterActive, ...input }: NewLink & NewAccount,
  context: IdentityContext,
): Promise<NewUserOutcome> {
  const { store, now } = context;
  const at = now();
  const columns = { id: store.newId(at), at, email_verified_at: at };
  const checked = newUser({ name: name.trim(), email }, columns);
  const [error] = checked.errors;
  if (error !== undefined) return { type: "refused", field: error.path === "/name" ? "name" : "email" };
  return orTaken<NewUserOutcome, NewUserOutcome>(
    store.transaction(async (tx): Promise<LinkOutcome> => {
      const { provider, account, origin } = input;
      await tx.lock(recordLock("providers", provider.id));
      if (!(await mayBeMade(input, tx, at, context))) return { type: "changed" };
      if (!(await maySignUp(email, provider, tx, at))) return { type: "changed" };
      if (await isAnothers(input, undefined, tx)) return { type: "linked_elsewhere" };
      const joining = await joiningOf(provider, { ...account, email }, isInviterActive, tx, at);
      if (!isDeepStrictEqual(joining, input.joining)) return { type: "changed" };
      if (!(await consumeInvitation(joining, tx))) return { type: "changed" };
      await tx.insert("users", checked.record);
      const user = await tx.find("users", { id: columns.id });
      if (user === undefined) throw new Error("the user that was just created is missing");
      await auditOwnAct(
        tx,
        context,
        { user, origin, at },
        {
          type: "user.created",
          target_table: "users",
          target_id: user.id,
          details: { provider: provider.slug },
        },
      );
      await joinOrganization(provider, joining, { user, origin, at }, tx, context);
      const link = await insertLink(user, input, at, tx, context);
      return { type: "linked", user, link };
    }),
    // Another request created the same account or email address.
    () => ({ type: "changed" }),
  );
}

/** Call this under the lock of the provider's record. */
async function mayBeMade(
  { provider, account, proof }: NewLink,
  tx: Transaction,
  at: Date,
  { store }: IdentityContext,
): Promise<boolean> {
  const { subject, returned_at } = account;
  if (proof !== undefined && !(await redeemProof(tx, proof))) return false;
  const current = await tx.find("providers", { id: account.provider_id });
  // The request may have read the record from a cache, and decided by settings that have since changed.
  if (!isDeepStrictEqual(current, provider)) return false;
  if ((await findLink(provider, account, tx)) !== undefined) return false;
  const key = upstreamAccountKey(provider.slug, subject);
  return proof === undefined || !(await store.wasUnlinkedSince(tx, key, returned_at, at));
}

async function isAnothers(
  { provider, account }: NewLink,
  user_id: string | undefined,
  tx: Transaction,
): Promise<boolean> {
  const key = { provider: provider.slug, provider_user_id: account.subject };
  return (await tx.list("oauth_accounts", key)).some((left) => left.user_id !== user_id);
}

async function insertLink(
  user: User,
  { provider, account, origin }: NewLink,
  at: Date,
  tx: Transaction,
  context: IdentityContext,
): Promise<OAuthAccount> {
  const id = context.store.newId(at);
  const link: OAuthAccount = {
    id,
    user_id: user.id,
    provider: provider.slug,
    provider_user_id: account.subject,
    provider_id: provider.id,
    ...sealedTokens(id, account, context),
    email: account.email ?? null,
    last_used_at: at,
    created_at: at,
    updated_at: at,
  };
  // A link of an import or of another record with this slug cannot be used for sign-in, so it is replaced.
  const key = { provider: provider.slug, provider_user_id: account.subject };
  const [left] = await tx.list("oauth_accounts", key);
  if (left !== undefined && left.provider_id !== provider.id) {
    await tx.remove("oauth_accounts", { id: left.id });
    const before = { user_id: left.user_id, provider: left.provider };
    await auditOwnAct(
      tx,
      context,
      { user, origin, at },
      {
        type: "linked_account.deleted",
        target_table: "oauth_accounts",
        target_id: left.id,
        details: { before },
      },
    );
  }
  await tx.insert("oauth_accounts", link);
  await context.store.provideAttributes(tx, user.id, providedBy(provider, account, { user, origin, at }));
  await auditOwnAct(
    tx,
    context,
    { user, origin, at },
    {
      type: "linked_account.created",
      target_table: "oauth_accounts",
      target_id: id,
      details: { after: { user_id: user.id, provider: provider.slug, provider_user_id: account.subject } },
    },
  );
  return link;
}

/**
 * Returns the columns with the encrypted tokens; empty if the provider's record does not store tokens
 * (EP-19).
 */
function sealedTokens(
  id: string,
  { tokens }: ReturnedAccount,
  { sealer }: IdentityContext,
): Pick<OAuthAccount, "access_token" | "refresh_token" | "expires_at"> {
  if (tokens === undefined) return { access_token: "", refresh_token: null, expires_at: null };
  const { access_token, refresh_token, expires_at } = tokens;
  const seal = (token: string) => sealer.seal("linked_account", token, id);
  return {
    access_token: seal(access_token),
    refresh_token: refresh_token === undefined ? null : seal(refresh_token),
    expires_at: expires_at === undefined ? null : new Date(expires_at),
  };
}

function providedBy(
  provider: Provider,
  { attributes }: ReturnedAccount,
  { user, origin, at }: { user: Pick<User, "id">; origin: RequestOrigin; at: Date },
): Provided {
  const cause = { actor_kind: "user", actor_id: user.id, ...origin } as const;
  return { provider, values: attributes, cause, at };
}

/**
 * Stores the email address and tokens of this sign-in on the link. The user's record is unchanged (EP-9),
 * except for the attributes that this provider writes (OC-7).
 */
export async function updateLink(
  { id }: Pick<OAuthAccount, "id">,
  user: User,
  { provider, account, origin }: Pick<NewLink, "provider" | "account" | "origin">,
  context: IdentityContext,
): Promise<void> {
  const { store, now } = context;
  const at = now();
  const kept = account.tokens === undefined ? {} : sealedTokens(id, account, context);
  const email = account.email ?? null;
  await store.update("oauth_accounts", { id }, { email, last_used_at: at, ...kept });
  const provided = providedBy(provider, account, { user, origin, at });
  if (!(await store.changesProvidedAttributes(store, user.id, provided))) return;
  const once = () => store.transaction((tx) => store.provideAttributes(tx, user.id, provided));
  // If another user took the username that the provider reports at the same time, the second attempt leaves
  // the username out.
  await orTaken(once(), once);
}

type UnlinkOutcome =
  | { readonly type: "unlinked"; readonly here: "goes_on" | "ended" }
  /** No other sign-in method is left (EP-13). */
  | { readonly type: "last_way" };

/**
 * Removes a user's own link, unless it is the last sign-in method. Sessions that depend on it end, and stored
 * tokens are revoked at the provider after the commit (EP-19).
 */
export async function unlinkAccount(
  link: Pick<OAuthAccount, "id">,
  { user, session }: SignedIn,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<UnlinkOutcome> {
  const { store, now } = context;
  const at = now();
  return store.transaction(async (tx): Promise<UnlinkOutcome> => {
    await tx.lock(userLock(user.id));
    const current = await tx.find("users", { id: user.id });
    if (current === undefined) return { type: "last_way" };
    const enrolled = await store.enrolledMethods(current, tx);
    if (!canSignInWithout(enrolled, [link.id])) return { type: "last_way" };
    const stored = await tx.find("oauth_accounts", { id: link.id, user_id: user.id });
    const here =
      stored === undefined
        ? await store.endOpenedSessions(tx, link.id, user.id, at, session)
        : await removeLink(tx, stored, { origin, at, here: session }, context);
    return { type: "unlinked", here };
  });
}
