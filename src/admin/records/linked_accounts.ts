import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { OAuthAccount, Session } from "../../records/definition/definition.ts";
import { checkChange, checkNew } from "../../records/formats/check.ts";
import { recordLock, userLock } from "../../records/names/lock_names.ts";
import { canSignInWithout } from "../../records/names/sign_in_methods.ts";
import { type AdminContext, sealerOf } from "../access/actor.ts";
import { type Input, invalidRecord, without } from "../access/errors.ts";
import { linkErrors } from "../access/provider_of_link.ts";
import { changeRecord, type Expected, insertRecord, type Transaction } from "../changes/changes.ts";
import { referenceErrors } from "../changes/references.ts";
import { deleteRecord } from "../changes/removal.ts";
import { endLink } from "./provider_links.ts";

function tokenErrors(input: Input, isNew: boolean): FieldError[] {
  const { access_token, refresh_token } = input;
  const errors: FieldError[] = [];
  if ((isNew || access_token !== undefined) && !isToken(access_token)) {
    errors.push(fieldError("/access_token", "not_text"));
  }
  if (refresh_token !== undefined && refresh_token !== null && !isToken(refresh_token)) {
    errors.push(fieldError("/refresh_token", "not_text"));
  }
  return errors;
}

function sealedTokens(
  context: AdminContext,
  id: string,
  { access_token, refresh_token }: Input,
): Partial<Pick<OAuthAccount, "access_token" | "refresh_token">> {
  const seal = (token: string) => sealerOf(context).seal("linked_account", token, id);
  return {
    ...(isToken(access_token) ? { access_token: seal(access_token) } : {}),
    ...(isToken(refresh_token) ? { refresh_token: seal(refresh_token) } : {}),
    ...(refresh_token === null ? { refresh_token: null } : {}),
  };
}

const tokens = ["access_token", "refresh_token"] as const;

/**
 * Links an account at an external provider to a user. The provider's tokens are stored encrypted (spec 2.4,
 * H-6). Throws 422 `invalid_record`, or 409 `conflict` if the external account is already linked.
 */
export async function createLinkedAccount(context: AdminContext, requested: Input): Promise<OAuthAccount> {
  const at = context.now();
  const { errors, record } = checkNew("oauth_accounts", without(requested, tokens), {
    ...(requested.id === undefined ? { id: context.store.newId(at) } : {}),
    access_token: "",
    refresh_token: null,
    created_at: at,
    updated_at: at,
  });
  const missing = await referenceErrors(context, context.store, "oauth_accounts", record);
  const unfit = errors.length > 0 ? [] : await linkErrors(context.store, record);
  const all = [...errors, ...tokenErrors(requested, true), ...missing, ...unfit];
  if (all.length > 0) throw invalidRecord("oauth_accounts", all);
  const provider = await context.store.find("providers", { slug: record.provider });
  const locks = provider === undefined ? [] : [recordLock("providers", provider.id)];
  const row = { ...record, ...sealedTokens(context, record.id, requested) };
  return insertRecord(context, "oauth_accounts", row, undefined, locks);
}

/** Changes a linked account, for example its tokens. Throws 404 `not_found`, 422 `invalid_record`. */
export async function updateLinkedAccount(
  context: AdminContext,
  id: string,
  requested: Input,
  expected?: Expected<"oauth_accounts">,
): Promise<OAuthAccount> {
  return changeRecord(
    context,
    "oauth_accounts",
    id,
    (current) => {
      const { errors, record } = checkChange("oauth_accounts", current, without(requested, tokens));
      const moved = linkedAccountFixed.filter(
        (name) => record[name] !== undefined && record[name] !== current[name],
      );
      const all = [
        ...errors,
        ...tokenErrors(requested, false),
        ...moved.map((name) => fieldError(`/${name}`, "fixed_for_linked_account")),
      ];
      if (all.length > 0) throw invalidRecord("oauth_accounts", all);
      return { ...record, ...sealedTokens(context, current.id, requested) };
    },
    { expected },
  );
}

/**
 * Deletes a linked account, ends the sessions that depend on it (EP-11) and revokes its tokens at the
 * provider (EP-19). Throws the errors of `deleteRecord`, and 409 `conflict` if users would delete their own
 * last sign-in method (EP-13).
 */
export async function removeLinkedAccount(
  context: AdminContext,
  id: string,
  expected?: Expected<"oauth_accounts">,
): Promise<void> {
  const at = context.now();
  // The user of a linked account never changes, so reading it before the transaction is safe.
  const seen = await context.store.find("oauth_accounts", { id });
  await deleteRecord(context, "oauth_accounts", id, {
    expected,
    locks: seen === undefined ? [] : [userLock(seen.user_id)],
    async remove(tx, link) {
      const { actor } = context;
      const isOwn = actor.kind === "user" && actor.user.id === link.user_id;
      if (isOwn) await keepWayIn(tx, context, [link]);
      const here = isOwn && actor.session_id !== undefined ? { id: actor.session_id } : undefined;
      await removeLink(tx, context, link, at, here);
    },
  });
}

/**
 * Deletes a linked account and ends the sessions that depend on it. The session `here` continues if its other
 * sign-in methods suffice.
 */
export async function removeLink(
  tx: Transaction,
  context: Pick<AdminContext, "store">,
  link: OAuthAccount,
  at: Date,
  here?: Pick<Session, "id">,
): Promise<void> {
  await tx.remove("oauth_accounts", { id: link.id });
  await endLink(tx, context, link, at, here);
}

/** Throws 409 `conflict` if the user could not sign in without these linked accounts (EP-13). */
export async function keepWayIn(
  tx: Transaction,
  { store }: Pick<AdminContext, "store">,
  links: readonly Pick<OAuthAccount, "id" | "user_id">[],
): Promise<void> {
  const [link] = links;
  const user = link && (await tx.find("users", { id: link.user_id }));
  if (user === undefined) return;
  const ids = links.map(({ id }) => id);
  if (!canSignInWithout(await store.enrolledMethods(user, tx), ids))
    throw new Problem("conflict", detail("last_way_in"));
}

export const linkedAccountFixed = ["user_id", "provider", "provider_user_id"] as const;

function isToken(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}
