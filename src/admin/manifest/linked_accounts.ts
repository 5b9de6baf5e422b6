/** Linked accounts as a manifest gives them: without tokens too, as an export leaves them. */
import { fieldError } from "../../errors/field_errors.ts";
import { type Checked, checkChange, checkNew } from "../../records/check.ts";
import type { NewRow, OAuthAccount } from "../../records/definition.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../faults.ts";
import { linkedAccountFixed } from "../records/linked_accounts.ts";

/** A new linked account, checked but for its tokens, which are placeholders until they are sealed. */
export function draftLinkedAccount(
  { store, now }: AdminContext,
  input: Input,
): Checked<NewRow<"oauth_accounts">> {
  const at = now();
  return checkNew("oauth_accounts", input, {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    access_token: "",
    refresh_token: null,
    created_at: at,
    updated_at: at,
  });
}

/** A change of a linked account, checked: whose it is and at which provider does not change. */
export function draftLinkedAccountChange(
  current: OAuthAccount,
  input: Input,
): Checked<Partial<OAuthAccount>> {
  const { errors, record } = checkChange("oauth_accounts", current, input);
  const moved = linkedAccountFixed.filter(
    (name) => record[name] !== undefined && record[name] !== current[name],
  );
  const fixed = moved.map((name) => fieldError(`/${name}`, "fixed_for_link_in_file"));
  return { errors: [...errors, ...fixed], record };
}
