import type { RecordChange } from "../../records/definition/event_types.ts";
import type { ResourceType, tableOfResourceType } from "../../records/definition/permissions.ts";
import { ownWord } from "../../web/html/own_word.ts";
import type { Words } from "../../web/words/words.ts";

const resourceTypeOfTable: {
  readonly [R in ResourceType as Exclude<(typeof tableOfResourceType)[R], R>]: R;
} = {
  oauth_accounts: "linked_accounts",
  oauth_apps: "apps",
  oauth_app_secrets: "app_secrets",
  oauth_tokens: "tokens",
  oauth_auth_codes: "auth_codes",
  oauth_consents: "consents",
  service_account_key_pairs: "key_pairs",
  attribute_definitions: "attributes",
};

/** Event types begin with the resource type in the singular. These prefixes are exceptions. */
const kinds: Readonly<Record<string, ResourceType>> = {
  api: "resources",
  authorization_code: "auth_codes",
  delivery: "deliveries",
};

const kindOf = (resourceType: ResourceType) => resourceType.slice(0, -1);

function resourceTypeOfKind(kind: string, { resourceTypes }: Words): ResourceType | undefined {
  const known = ownWord(kinds, kind) as ResourceType | undefined;
  return known ?? (Object.keys(resourceTypes) as ResourceType[]).find((each) => kindOf(each) === kind);
}

/** Returns the title of an audit or feed event; undefined for a type that this version does not know. */
export function eventTitle(type: string, words: Words): string | undefined {
  const { eventTitles, resourceTypes } = words;
  const own = ownWord(eventTitles.own, type) ?? ownWord(eventTitles.feed, type);
  if (own !== undefined) return own;
  const [kind = "", change = ""] = type.split(".");
  const resourceType = resourceTypeOfKind(kind, words);
  if (resourceType === undefined || !Object.hasOwn(eventTitles.change, change)) return undefined;
  return eventTitles.change[change as RecordChange](resourceTypes[resourceType].one);
}

/**
 * Returns the name of a table's records in the singular, in the page's language; undefined for a table
 * without pages.
 */
export function tableTitle(table: string, { resourceTypes, invite }: Words): string | undefined {
  if (table === "invitations") return invite.one;
  const resourceType = ownWord(resourceTypeOfTable, table) ?? table;
  return Object.hasOwn(resourceTypes, resourceType)
    ? resourceTypes[resourceType as ResourceType].one
    : undefined;
}
