/**
 * The provider record that a linked account is created for (EP-2; docs/decisions/providers.md). A link is
 * valid for that record alone, not for one created later with the same slug.
 */
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { NewRow } from "../../records/definition/definition.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { invalidRecord } from "./errors.ts";

type Link = Pick<NewRow<"oauth_accounts">, "provider" | "provider_id">;

/**
 * Returns the errors of a new linked account: the provider `provider_id` does not have the slug, or the slug
 * belongs to no provider but belonged to a deleted one.
 */
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
 * Returns the provider record of a new linked account. Throws 422 `invalid_record` if `linkErrors` finds any.
 */
export async function providerOfLink(
  reads: Pick<Verbs, "find">,
  link: Link,
): Promise<{ readonly provider_id: string | null }> {
  const errors = await linkErrors(reads, link);
  if (errors.length > 0) throw invalidRecord("oauth_accounts", errors);
  return { provider_id: (await reads.find("providers", { slug: link.provider }))?.id ?? null };
}
