import type { IdentityContext } from "../core/context/context.ts";
import type { Provider } from "../core/proofs/provider_account.ts";

type Parts = Pick<IdentityContext, "store" | "provider_client">;

/** Returns the active providers of the server itself and of the organization. */
export async function offeredProviders(
  organization_id: string | undefined,
  { store, provider_client }: Parts,
): Promise<readonly Provider[]> {
  return provider_client === undefined ? [] : store.activeProviders(organization_id ?? null);
}

/** Returns the provider with this slug; undefined if it or its organization is inactive. */
export async function findProvider(
  slug: string,
  { store, provider_client }: Parts,
): Promise<Provider | undefined> {
  return provider_client === undefined ? undefined : store.findProvider(slug);
}
