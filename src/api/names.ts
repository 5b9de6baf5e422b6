/** What things are called in the OpenAPI document, from what the resources call them. */
import type { Resource } from "../admin/resources/resources.ts";
import type { RecordNoun } from "../errors/messages.ts";

/** `linked-accounts` is `LinkedAccounts`, `API key` is `ApiKey`. */
export function pascal(words: string): string {
  return words
    .split(/[ _-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("");
}

/** What the schemas of a resource are called, by its resource type: `auth_codes` has `AuthCode`. */
export function schemaNames({ resourceType }: Pick<Resource, "resourceType">) {
  return namesOf(pascal(resourceType.replace(/s$/, "")));
}

/** What the schemas of a record without a resource type of its own are called. */
export function schemaNamesOfNoun(noun: RecordNoun) {
  return namesOf(pascal(noun));
}

const namesOf = (name: string) => ({
  record: name,
  created: `Created${name}`,
  fresh: `New${name}`,
  change: `${name}Change`,
});

/** What a resource is called where there are many of it. */
export const pluralOf = ({ path }: Pick<Resource, "path">) =>
  path.replaceAll("-", " ").replace(/^api /, "API ");
