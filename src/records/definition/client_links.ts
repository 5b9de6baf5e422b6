/** Pages of a client about itself, which an app names in `metadata` as RFC 7591 2 calls them. */
import type { OAuthApp } from "./definition.ts";

const clientLinks = ["client_uri", "policy_uri", "tos_uri"] as const;
export type ClientLinks = Readonly<Partial<Record<(typeof clientLinks)[number], string>>>;

/** Characters of such an address. */
const longestLink = 2048;

/** Those that lead to a site over https; what else `metadata` holds under these names is the caller's own. */
export function clientLinksOf({ metadata }: Pick<OAuthApp, "metadata">): ClientLinks {
  const said = clientLinks.flatMap((name) => {
    const value: unknown = metadata?.[name];
    const url = typeof value === "string" && value.length <= longestLink ? URL.parse(value) : null;
    return url?.protocol === "https:" && url.username === "" && url.password === ""
      ? [[name, url.href] as const]
      : [];
  });
  return Object.fromEntries(said);
}
