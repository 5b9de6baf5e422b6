import type { FieldFault } from "../errors.ts";
import { checkNew, isUuid } from "../records/check.ts";
import type { OAuthAccount } from "../records/definition.ts";
import { type AdminContext, sealerOf } from "./actor.ts";
import { deleteRecord, insertRecord } from "./changes.ts";
import { type Input, invalidRecord, missingReferences, notFound, without } from "./faults.ts";

/** The tokens of a linked account, in the clear. */
export interface LinkedTokens {
  readonly access_token: string;
  readonly refresh_token: string | null;
}

/**
 * Links an account at an external provider to a user. Both tokens are sealed for the record's id (spec 2.4, requirements
 * H-6). Throws 422 `invalid_record`, 409 `conflict` when the account is linked already.
 */
export async function addLinkedAccount(context: AdminContext, asked: Input): Promise<OAuthAccount> {
  const at = context.now();
  const { access_token, refresh_token = null } = asked;
  const { faults, record } = checkNew("oauth_accounts", without(asked, ["access_token", "refresh_token"]), {
    ...(asked.id === undefined ? { id: context.store.newId(at) } : {}),
    access_token: "",
    refresh_token: null,
    created_at: at,
    updated_at: at,
  });
  const message = "must be text that is not empty";
  const tokenFaults: FieldFault[] = [];
  if (!isToken(access_token)) tokenFaults.push({ path: "/access_token", message });
  if (refresh_token !== null && !isToken(refresh_token))
    tokenFaults.push({ path: "/refresh_token", message });
  const missing = await missingReferences(context.store, "oauth_accounts", record);
  const all = [...faults, ...tokenFaults, ...missing];
  if (all.length > 0 || !isToken(access_token)) throw invalidRecord("oauth_accounts", all);
  const seal = (token: string) => sealerOf(context).seal("linked_account", token, record.id);
  return insertRecord(context, "oauth_accounts", {
    ...record,
    access_token: seal(access_token),
    refresh_token: isToken(refresh_token) ? seal(refresh_token) : null,
  });
}

function isToken(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

/** The tokens of a linked account. Throws a SealError when the secret key is not the one they were sealed under. */
export function linkedTokens(context: AdminContext, account: OAuthAccount): LinkedTokens {
  const open = (sealed: string) => sealerOf(context).open("linked_account", sealed, account.id);
  return {
    access_token: open(account.access_token),
    refresh_token: account.refresh_token === null ? null : open(account.refresh_token),
  };
}

export function listLinkedAccounts(
  { store }: Pick<AdminContext, "store">,
  user_id: string,
): Promise<OAuthAccount[]> {
  return store.list("oauth_accounts", { user_id });
}

/** Throws 404 `not_found`. */
export async function removeLinkedAccount(context: AdminContext, id: string): Promise<void> {
  const account = isUuid(id)
    ? await context.store.find("oauth_accounts", { id: id.toLowerCase() })
    : undefined;
  if (account === undefined) throw notFound("oauth_accounts", id);
  await deleteRecord(context, "oauth_accounts", account.id);
}
