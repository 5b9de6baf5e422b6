/** What things are called in the OpenAPI document, from what the resources call them. */
import type { Resource } from "../../admin/resources/resources.ts";

/** `linked-accounts` is `LinkedAccounts`, `API key` is `ApiKey`. */
export function pascal(words: string): string {
  return words
    .split(/[ _-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("");
}

/** What the schemas of a resource are called. */
export function schemaNames({ noun }: Pick<Resource, "noun">) {
  const name = pascal(noun);
  return { record: name, created: `Created${name}`, fresh: `New${name}`, change: `${name}Change` };
}

/** What a resource is called where there are many of it. */
export const pluralOf = ({ path }: Pick<Resource, "path">) =>
  path.replaceAll("-", " ").replace(/^api /, "API ");
