/** What makes a record of a manifest the same from one run to the next. */
import { isUuid } from "../../records/check.ts";
import type { TableName } from "../../records/definition.ts";
import { emailKey } from "../../records/email.ts";
import { type Input, isText } from "../faults.ts";
import type { Section, Values } from "./sections.ts";

/**
 * The columns that are unique to a record, with their values; undefined when these values do not say them.
 */
export function naturalKey(table: TableName, values: Values): Values | undefined {
  const pair = (one: string, other: string) => {
    const [a, b] = [values[one], values[other]];
    return isUuid(a) && isUuid(b) ? { [one]: a, [other]: b } : undefined;
  };
  switch (table) {
    case "organizations":
      return isText(values.slug) ? { slug: values.slug } : undefined;
    case "users":
    case "service_accounts":
      return isText(values.email) ? { email_key: emailKey(values.email) } : undefined;
    case "oauth_apps":
      return isText(values.client_id) ? { client_id: values.client_id } : undefined;
    case "oauth_accounts":
      return isText(values.provider) && isText(values.provider_user_id)
        ? { provider: values.provider, provider_user_id: values.provider_user_id }
        : undefined;
    case "memberships":
      return pair("user_id", "organization_id");
    case "oauth_consents":
      return pair("user_id", "app_id");
    default:
      return undefined;
  }
}

/**
 * The columns by which a record without a unique name of its own is known again, unless the entry gives its
 * id: an app without client_id and an API key by their name and whose they are. Several records may fit.
 */
export function looseKey(table: TableName, input: Input): Values | undefined {
  if (isUuid(input.id) || !isText(input.name)) return undefined;
  const { name, owner_id, user_id = null, organization_id = null } = input;
  if (table === "oauth_apps" && input.client_id === undefined && isUuid(owner_id)) {
    return { owner_id, organization_id, name };
  }
  const isOwner = (id: unknown) => id === null || isUuid(id);
  if (table === "api_keys" && isOwner(user_id) && isOwner(organization_id)) {
    return { user_id, organization_id, name };
  }
  return undefined;
}

export function keyText(table: TableName, where: Values): string {
  return `${table} ${JSON.stringify(where)}`;
}

/** What the record is called in a result, after its kind. */
export function nameOf({ table, references }: Section, entry: Input, whole: Values): string {
  switch (table) {
    case "organizations":
      return String(whole.slug);
    case "users":
    case "service_accounts":
      return String(whole.email);
    case "oauth_apps":
      return String(whole.client_id);
    case "oauth_accounts":
      return `${whole.provider} ${whole.provider_user_id}`;
    case "api_keys":
      return String(whole.name);
    default:
      return Object.keys(references)
        .map((name) => String(entry[name]))
        .join(" ");
  }
}
