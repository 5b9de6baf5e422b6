/** Providers that people may sign in through. */
import type { IdentityContext } from "../context.ts";
import type { Provider } from "./provider_account.ts";

type Parts = Pick<IdentityContext, "store" | "provider_leg">;

/**
 * The server's own, and those of the organization whose application waits; none where nothing reaches out.
 */
export async function offeredProviders(
  organization_id: string | undefined,
  { store, provider_leg }: Parts,
): Promise<readonly Provider[]> {
  if (provider_leg === undefined) return [];
  const providers = await store.list("providers", { active: true }, { order_by: "id" });
  return providers.filter(
    (provider) => provider.organization_id === null || provider.organization_id === organization_id,
  );
}

/** The provider of this slug; undefined where it is switched off, or its organization is. */
export async function findProvider(
  slug: string,
  { store, provider_leg }: Parts,
): Promise<Provider | undefined> {
  if (provider_leg === undefined) return undefined;
  const provider = await store.find("providers", { slug, active: true });
  const id = provider?.organization_id ?? undefined;
  if (id === undefined) return provider;
  const organization = await store.find("organizations", { id });
  return organization?.active ? provider : undefined;
}
