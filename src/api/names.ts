import type { Resource } from "../admin/resources/resources.ts";
import type { RecordNoun } from "../errors/messages.ts";
import { singularOf } from "../records/definition/permissions.ts";

/** Converts `linked-accounts` to `LinkedAccounts`, and `API key` to `ApiKey`. */
export function pascal(words: string): string {
  return words
    .split(/[ _-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("");
}

/**
 * Returns the schema names of a resource, derived from its resource type, for example `AuthCode` for
 * `auth_codes`.
 */
export function schemaNames({ resourceType }: Pick<Resource, "resourceType">) {
  return namesOf(pascal(singularOf(resourceType)));
}

export function schemaNamesOfNoun(noun: RecordNoun) {
  return namesOf(pascal(noun));
}

const namesOf = (name: string) => ({
  record: name,
  created: `Created${name}`,
  fresh: `New${name}`,
  change: `${name}Change`,
});

/** Returns the plural of the noun for sentences, for example `authorization codes` for `auth_codes`. */
export const nounsOf = ({ noun }: Pick<Resource, "noun">) => `${noun}s`.replace(/([^aeiou])ys$/, "$1ies");

/** Returns the words of the resource's path, such as `auth codes`, for tags and operation names. */
export const pluralOf = ({ path }: Pick<Resource, "path">) =>
  path.replaceAll("-", " ").replace(/^api /, "API ");
