/**
 * Finds the provider record of a new linked account (EP-2). The linked account is valid only for this record,
 * and not for a later provider with the same slug.
 */
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { NewRow } from "../../records/definition/definition.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { invalidRecord } from "./errors.ts";

type Link = Pick<NewRow<"oauth_accounts">, "provider" | "provider_id">;

/** Returns the errors of a linked account's `provider` and `provider_id`. */
export async function linkErrors(
  reads: Pick<Verbs, "find">,
  { provider: slug, provider_id = null }: Link,
): Promise<FieldError[]> {
  const provider = await reads.find("providers", { slug });
  if (provider !== undefined) {
    const isOther = provider_id !== null && provider_id !== provider.id;
    return isOther ? [fieldError("/provider_id", "not_provider_of_slug")] : [];
  }
  if (provider_id !== null) return [fieldError("/provider_id", "slug_without_provider")];
  const retired = await reads.find("retired_providers", { slug });
  return retired === undefined ? [] : [fieldError("/provider", "retired_provider")];
}

/**
 * Returns the id of the provider record; null if no provider has the slug. Throws 422 `invalid_record` for a
 * linked account that `linkErrors` refuses.
 */
export async function providerOfLink(
  reads: Pick<Verbs, "find">,
  link: Link,
): Promise<{ readonly provider_id: string | null }> {
  const errors = await linkErrors(reads, link);
  if (errors.length > 0) throw invalidRecord("oauth_accounts", errors);
  return { provider_id: (await reads.find("providers", { slug: link.provider }))?.id ?? null };
}
