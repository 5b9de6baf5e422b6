import type { Provider } from "../../records/definition/definition.ts";
import { isActive } from "../../records/names/liveness.ts";
import { boundedCache } from "../database/cached_reads.ts";
import type { Database } from "../database/database.ts";

interface Answer {
  readonly provider: Provider | undefined;
}

/** A longer string matches no provider and is not cached. */
const longestSlug = 64;

export function providerReads(database: Database) {
  const { find, list } = database;
  const bySlug = boundedCache<Answer>(1000, database);
  const byOwner = boundedCache<readonly Provider[]>(1000, database);

  async function isUsable(provider: Provider): Promise<boolean> {
    const { organization_id: id, active } = provider;
    return active && (id === null || isActive(await find("organizations", { id })));
  }

  async function readSlug(slug: string): Promise<Answer> {
    const provider = await find("providers", { slug });
    return { provider: provider !== undefined && (await isUsable(provider)) ? provider : undefined };
  }

  async function readOwner(organization_id: string | null): Promise<readonly Provider[]> {
    const isOff = organization_id !== null && !isActive(await find("organizations", { id: organization_id }));
    return isOff ? [] : list("providers", { organization_id, active: true });
  }

  return {
    async findProvider(slug: string): Promise<Provider | undefined> {
      if (slug.length > longestSlug) return undefined;
      return (await bySlug.get(slug, () => readSlug(slug)))?.provider;
    },

    async activeProviders(organization_id: string | null): Promise<readonly Provider[]> {
      const owners = organization_id === null ? [null] : [null, organization_id];
      const found = await Promise.all(
        owners.map((owner) => byOwner.get(owner ?? "", () => readOwner(owner))),
      );
      return found.flatMap((providers) => providers ?? []);
    },
  };
}
