/** Providers that people may sign in through; none if nothing reaches out. */
import type { IdentityContext } from "../core/context/context.ts";
import type { Provider } from "../core/proofs/provider_account.ts";

type Parts = Pick<IdentityContext, "store" | "provider_client">;

/** The server's own, and those of the organization whose application waits. */
export async function offeredProviders(
  organization_id: string | undefined,
  { store, provider_client }: Parts,
): Promise<readonly Provider[]> {
  return provider_client === undefined ? [] : store.activeProviders(organization_id ?? null);
}

/** The provider of this slug; undefined if it is switched off, or its organization is. */
export async function findProvider(
  slug: string,
  { store, provider_client }: Parts,
): Promise<Provider | undefined> {
  return provider_client === undefined ? undefined : store.findProvider(slug);
}
