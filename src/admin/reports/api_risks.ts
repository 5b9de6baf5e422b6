import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import { scopesOf } from "../../records/formats/resource_scopes.ts";
import { isFeatureOn, type Switches } from "../../records/names/profiles.ts";

const apiRiskKinds = [
  "open_without_scopes",
  "open_default_writes",
  "dpop_off",
  "public_introspection",
] as const;
type ApiRiskKind = (typeof apiRiskKinds)[number];

interface ApiRisk {
  readonly kind: ApiRiskKind;
  /** The scopes or client_ids that cause the risk; empty if the whole API does. */
  readonly about: readonly string[];
}

/** Scope names that probably allow changes. */
const changing = /(?:^|[^a-z])(?:write|create|update|delete|manage|admin|all|full|\*)(?:[^a-z]|$)/i;

export function risksOfApi(
  api: Pick<ApiResource, "who_may_ask" | "scopes" | "default_scopes" | "dpop_bound_access_tokens_required">,
  apps: readonly Pick<OAuthApp, "client_id" | "public">[],
  switches: Switches,
): ApiRisk[] {
  const isOpen = api.who_may_ask === "any";
  const writing = api.default_scopes.filter((scope) => changing.test(scope));
  const without = apps.filter((app) => app.public).map(({ client_id }) => client_id);
  const needsDpop = api.dpop_bound_access_tokens_required && !isFeatureOn("dpop", switches);
  const found: readonly (readonly [boolean, ApiRiskKind, readonly string[]])[] = [
    [isOpen && scopesOf(api).length === 0, "open_without_scopes", []],
    [isOpen && writing.length > 0, "open_default_writes", writing],
    [needsDpop, "dpop_off", []],
    [without.length > 0, "public_introspection", without],
  ];
  return found.flatMap(([is, kind, about]) => (is ? [{ kind, about }] : []));
}
