import type { ProviderPreset } from "../../records/names/names.ts";
import { placeholderIn } from "./hidden_secret.ts";
import type { ImportMap, LinkedAccount, Loss, Sink } from "./moved.ts";
import { slugOf } from "./slug.ts";

export interface FoundProvider {
  readonly alias: string;
  readonly label?: string | undefined;
  readonly preset: ProviderPreset | undefined;
  readonly kind: string;
  readonly client_id: string | undefined;
  readonly client_secret: string | undefined;
  readonly issuer?: string | undefined;
  readonly active?: boolean | undefined;
  /** The slug of the only organization that uses the provider. */
  readonly organization?: string | undefined;
}

const labels: Readonly<Partial<Record<ProviderPreset, string>>> = {
  google: "Google",
  microsoft: "Microsoft",
  apple: "Apple",
  github: "GitHub",
  gitlab: "GitLab",
  linkedin: "LinkedIn",
};

const mapped = ({ providers }: ImportMap, name: string): string | undefined =>
  Object.hasOwn(providers, name) ? providers[name] : undefined;

const providerSlug = (alias: string, map: ImportMap): string =>
  mapped(map, alias) ?? slugOf(alias, "provider");

const stated: readonly (ProviderPreset | undefined)[] = ["oidc", "microsoft", "gitlab"];

/**
 * Passes the provider on as an entry of a manifest, or reports why it is not imported. The provider is
 * inactive, because it refuses Postern's redirect URI until it is registered there. Until the operator
 * allows it, Postern does not trust the provider's email addresses and registers no users from it, because
 * other systems have other rules for both.
 */
export function addProvider(found: FoundProvider, map: ImportMap, sink: Sink): void {
  const object = `provider ${found.alias}`;
  const lose = (member: string, reason: Loss["reason"]) => sink.lose({ object, member, reason });
  const { preset, client_id, client_secret, issuer } = found;
  if (preset === undefined || client_id === undefined) {
    lose(
      "",
      preset === undefined
        ? `the provider is not imported: no preset for ${found.kind}`
        : "the provider is not imported: no client_id",
    );
    return;
  }
  if (preset === "apple") {
    lose("", "the provider is not imported: Apple needs a private key, which no export contains");
    return;
  }
  if (preset === "oidc" && issuer === undefined) {
    lose("", "the provider is not imported: no issuer for discovery");
    return;
  }
  const isHidden = client_secret === undefined || placeholderIn(client_secret) !== undefined;
  if (isHidden)
    lose("client_secret", "not in the export: set it, or users cannot sign in with this provider");
  if (found.active !== false) lose("active", "inactive: register its redirect URI, then activate it");
  const slug = providerSlug(found.alias, map);
  if (slug !== found.alias) lose("alias", `renamed to ${slug}, as is its callback address`);
  sink.provider({
    slug,
    label: found.label ?? labels[preset] ?? found.alias,
    preset,
    client_id,
    ...(!isHidden && { client_secret }),
    ...(stated.includes(preset) && issuer !== undefined && { issuer }),
    ...(found.organization !== undefined && { organization: found.organization }),
    active: false,
  });
}

/**
 * Names of Microsoft in other systems. Their identifiers of Microsoft accounts differ from those of Postern's
 * preset.
 */
const otherwiseKnown: ReadonlySet<string> = new Set([
  ...["microsoft", "microsoft.com", "windowslive", "waad", "azure", "oauth_microsoft", "MICROSOFT"],
]);

/**
 * Returns a list with the user's account at the provider, in the form of the API. Reports a loss and returns
 * an empty list if the account cannot be linked. `alias` and `kind` are the source's names for the provider
 * and for its kind; the map may contain either.
 */
export function linkedAccount(
  {
    alias,
    kind = alias,
    id,
  }: { readonly alias: string; readonly kind?: string; readonly id: string | undefined },
  map: ImportMap,
  lose: (member: string, reason: string) => void,
): LinkedAccount[] {
  if (id === undefined) {
    lose(`linked account ${alias}`, "no identifier at the provider");
    return [];
  }
  const slug = mapped(map, kind) ?? mapped(map, alias);
  if (otherwiseKnown.has(kind) && slug === undefined) {
    lose(
      `linked account ${alias}`,
      "Microsoft users are identified by tenant and object ID: users must link again",
    );
    return [];
  }
  return [{ provider: slug ?? providerSlug(alias, map), provider_user_id: id }];
}
