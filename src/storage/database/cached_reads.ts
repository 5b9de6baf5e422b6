/**
 * Caches the records that most requests read. A write to any table on which a cached record depends clears
 * the caches (design, section 5).
 */
import type {
  ApiResource,
  OAuthApp,
  Organization,
  ServiceAccount,
  User,
} from "../../records/definition/definition.ts";
import type { ApiKeyRecord, ClientRecord } from "../../records/rules/client_record.ts";
import { withinLimits } from "../../records/rules/open_clients.ts";
import type { Database } from "./database.ts";

/** If the database changes during a read, the result is returned but not cached. */
interface Cache<V> {
  get(key: string, read: () => Promise<V | undefined>): Promise<V | undefined>;
}

/**
 * Returns a cache that `onChange` clears. If this process may have missed changes by other processes, every
 * read goes to the database.
 */
export function boundedCache<V>(
  max: number,
  { driver, onChange }: Database,
  weigh: (value: V) => number = () => 1,
): Cache<V> {
  const entries = new Map<string, V>();
  let generation = 0;
  let weight = 0;
  onChange(() => {
    generation++;
    weight = 0;
    entries.clear();
  });
  const forget = (key: string, value: V) => {
    entries.delete(key);
    weight -= weigh(value);
  };
  const keep = (key: string, value: V) => {
    const earlier = entries.get(key);
    if (earlier !== undefined) forget(key, earlier);
    weight += weigh(value);
    for (const [oldest, its] of entries) {
      if (weight <= max) break;
      forget(oldest, its);
    }
    entries.set(key, value);
  };
  return {
    async get(key, read) {
      if (!driver.isCurrent()) return read();
      const found = entries.get(key);
      if (found !== undefined) return found;
      const before = generation;
      const value = await read();
      if (value !== undefined && generation === before) keep(key, value);
      return value;
    },
  };
}

export function cachedReads(
  database: Database,
  { resourcesOfApp }: { resourcesOfApp(app: OAuthApp): Promise<ApiResource[]> },
) {
  const { find, list } = database;
  const byClientId = boundedCache<ClientRecord>(10_000, database);
  const byAppId = boundedCache<ClientRecord>(10_000, database);
  const users = boundedCache<User>(20_000, database);
  const serviceAccounts = boundedCache<ServiceAccount & { organization: Organization | undefined }>(
    5_000,
    database,
  );

  const organizationOf = async (id: string | null) =>
    id === null ? undefined : find("organizations", { id });

  async function whole(found: OAuthApp | undefined): Promise<ClientRecord | undefined> {
    if (found === undefined) return undefined;
    const app = withinLimits(found);
    const organization = await organizationOf(app.organization_id);
    const resources = await resourcesOfApp(app);
    return { app, organization, resources, secrets: await list("oauth_app_secrets", { app_id: app.id }) };
  }

  const findUser = (id: string) => users.get(id, () => find("users", { id }));

  return {
    findUser,
    /** The key is not cached, so its revocation takes effect immediately. */
    async findApiKey(key_hash: Buffer): Promise<ApiKeyRecord | undefined> {
      const key = await find("api_keys", { key_hash });
      if (key === undefined) return undefined;
      const user = key.user_id === null ? undefined : await findUser(key.user_id);
      return { key, user, organization: await organizationOf(key.organization_id) };
    },
    findClient: (client_id: string): Promise<ClientRecord | undefined> =>
      byClientId.get(client_id, async () => whole(await find("oauth_apps", { client_id }))),
    findClientOfApp: (id: string): Promise<ClientRecord | undefined> =>
      byAppId.get(id, async () => whole(await find("oauth_apps", { id }))),
    findServiceAccount: (
      id: string,
    ): Promise<(ServiceAccount & { organization: Organization | undefined }) | undefined> =>
      serviceAccounts.get(id, async () => {
        const account = await find("service_accounts", { id });
        return account && { ...account, organization: await organizationOf(account.organization_id) };
      }),
  };
}
