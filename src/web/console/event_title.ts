/** What the codes of the audit trail are called: types of events, and tables of records. */
import type { RecordChange } from "../../records/event_types.ts";
import type { ResourceType, tableOfResourceType } from "../../records/permissions.ts";
import { ownWord } from "../own_word.ts";
import type { Words } from "../words/words.ts";

/** The resource type of the records in each table. */
const tables: { readonly [R in ResourceType as (typeof tableOfResourceType)[R]]: R } = {
  users: "users",
  organizations: "organizations",
  memberships: "memberships",
  providers: "providers",
  oauth_accounts: "linked_accounts",
  api_keys: "api_keys",
  oauth_apps: "apps",
  oauth_app_secrets: "app_secrets",
  oauth_tokens: "tokens",
  oauth_auth_codes: "auth_codes",
  oauth_consents: "consents",
  sessions: "sessions",
  resources: "resources",
  service_accounts: "service_accounts",
  service_account_key_pairs: "key_pairs",
  signing_keys: "signing_keys",
  audit_events: "audit_events",
  refusals: "refusals",
};

/** How the type of an event begins, where it is not the name of its resource type without the last letter. */
const kinds: Readonly<Record<string, ResourceType>> = {
  api: "resources",
  authorization_code: "auth_codes",
};

const kindOf = (resourceType: ResourceType) => resourceType.slice(0, -1);

function resourceTypeOfKind(kind: string): ResourceType | undefined {
  const known = ownWord(kinds, kind) as ResourceType | undefined;
  return known ?? Object.values(tables).find((resourceType) => kindOf(resourceType) === kind);
}

/** What an audit event is called; undefined for those of another version. */
export function eventTitle(type: string, { eventTitles, resourceTypes }: Words): string | undefined {
  const own = ownWord(eventTitles.own, type);
  if (own !== undefined) return own;
  const [kind = "", change = ""] = type.split(".");
  const resourceType = resourceTypeOfKind(kind);
  if (resourceType === undefined || !Object.hasOwn(eventTitles.change, change)) return undefined;
  return eventTitles.change[change as RecordChange](resourceTypes[resourceType].one);
}

/** What one record of a table is called; undefined for tables that are not managed. */
export function tableTitle(table: string, { resourceTypes }: Words): string | undefined {
  const resourceType = ownWord(tables, table) as ResourceType | undefined;
  return resourceType && resourceTypes[resourceType].one;
}
