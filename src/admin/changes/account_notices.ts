/** Tells users by email that the records of their account changed (SS-8), after the commit. */
import type { APIKey, OAuthAccount, Row, TableName, User } from "../../records/definition/definition.ts";
import type { NoticeKind } from "../../records/names/notices.ts";
import type { AccountNotice, AdminContext } from "../access/actor.ts";

interface Change<R> {
  readonly before?: R | undefined;
  readonly after?: R | undefined;
}

const noticesOf: { readonly [T in TableName]?: (change: Change<Row<T>>) => AccountNotice[] } = {
  users: ({ before, after }) => {
    if (before === undefined) return [];
    const { id: user_id, email, language } = before;
    if (after === undefined) return [{ kind: "deleted", user_id, email, language }];
    const noticeOf = (kind: NoticeKind, to = email) => ({ kind, user_id, email: to });
    return [
      ...(after.factors_reset_at !== null && isOther(before, after, ["factors_reset_at"])
        ? [noticeOf("factors_reset")]
        : []),
      ...(isOther(before, after, ["password_hash"]) ? [noticeOf("password")] : []),
      ...(isOther(before, after, ["email"]) ? [noticeOf("email"), noticeOf("email_here", after.email)] : []),
    ];
  },
  oauth_accounts: ({ before, after }) => {
    if (before === undefined && after !== undefined) return [ofLink("link_added", after)];
    return before !== undefined && after === undefined ? [ofLink("link_removed", before)] : [];
  },
  api_keys: ({ before, after }) => {
    if (after === undefined) return [];
    if (before === undefined) return ofKey("api_key", after);
    return isOther(before, after, ["scopes", "expires_at"]) ? ofKey("api_key_changed", after) : [];
  },
};

export function notifyUser<T extends TableName>(
  { onAccountNotice }: Pick<AdminContext, "onAccountNotice">,
  table: T,
  change: Change<Row<T>>,
): void {
  for (const notice of noticesOf[table]?.(change) ?? []) onAccountNotice?.(notice);
}

const ofLink = (kind: NoticeKind, { user_id, provider: name }: OAuthAccount) => ({ kind, user_id, name });

function ofKey(kind: NoticeKind, { user_id, name }: APIKey): AccountNotice[] {
  return user_id === null ? [] : [{ kind, user_id, name }];
}

function isOther<R extends User | APIKey>(before: R, after: R, names: readonly (keyof R)[]): boolean {
  return names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
