/** The URLs of a client's own pages, which `metadata` contains under their names in RFC 7591 2. */
import type { OAuthApp } from "./definition.ts";

const clientLinks = ["client_uri", "policy_uri", "tos_uri"] as const;
export type ClientLinks = Readonly<Partial<Record<(typeof clientLinks)[number], string>>>;

const longestLink = 2048;

/** Returns the links that are https URLs without user information, of at most 2048 characters. */
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
