import { ownWord } from "./html/own_word.ts";
import type { ScopeWords } from "./words/en/scopes.ts";
import { codeOf, type Language } from "./words/language.ts";

/** Returns a scope's description from the app or API that defines it. `language` is a BCP 47 tag. */
export type OwnDescriptions = (scope: string) => { text: string; language?: string | undefined } | undefined;

export type ScopeDescription = {
  name: string;
  description?: string | undefined;
  own?: boolean | undefined;
  lang?: string | undefined;
};

function ofOurs(scope: string, words: ScopeWords, organization: string | undefined): string | undefined {
  const { known, inOrganization } = words;
  const inside = organization === undefined ? undefined : ownWord(inOrganization, scope);
  if (organization !== undefined && inside !== undefined) return inside(organization);
  // A scope may be named `constructor`.
  if (Object.hasOwn(known, scope)) return known[scope as keyof typeof known];
  return ofManagement(scope, words, words);
}

function ofManagement(
  scope: string,
  { managed }: ScopeWords,
  { see, change }: ScopeWords["permitted"],
): string | undefined {
  const [, resourceType = "", access] = /^postern:([a-z_]+):(read|write)$/.exec(scope) ?? [];
  if (!Object.hasOwn(managed, resourceType)) return undefined;
  const what = managed[resourceType as keyof typeof managed];
  return access === "read" ? see(what) : change(what);
}

/**
 * Returns descriptions of the user's permissions. Each permission has the name of the management scope that a
 * token needs for it.
 */
export function permissionDescriptions(
  scopes: readonly string[],
  { words: { scopes: words } }: { words: { readonly scopes: ScopeWords } },
): ScopeDescription[] {
  return scopes.map((name) => ({ name, description: ofManagement(name, words, words.permitted) }));
}

/**
 * Returns a readable description of each scope, in the given order. For a scope that is not built in, the
 * API's description (`ofApi`) takes precedence over the app's (`own`).
 */
export function scopeDescriptions(
  scopes: readonly string[],
  { words, language }: { words: { readonly scopes: ScopeWords }; language: Language },
  own: OwnDescriptions = () => undefined,
  ofApi: OwnDescriptions = () => undefined,
  organization?: string,
): ScopeDescription[] {
  const inLanguage = (tag: string | undefined) => (tag === codeOf(language) ? undefined : tag);
  return scopes.map((name) => {
    const ours = ofOurs(name, words.scopes, organization);
    if (ours !== undefined) return { name, description: ours };
    const defined = name.startsWith("postern:") ? undefined : ofApi(name);
    if (defined !== undefined) return { name, description: defined.text, lang: inLanguage(defined.language) };
    const theirs = name.startsWith("postern:") ? undefined : own(name);
    if (theirs === undefined) return name === "phone" ? { name, description: words.scopes.phone } : { name };
    return { name, description: theirs.text, own: true, lang: inLanguage(theirs.language) };
  });
}
