import type { ResourceType } from "../../records/permissions.ts";
import type { RecordWords } from "../words/en/records.ts";

type Group = {
  legend: keyof RecordWords["groups"];
  /** Few need them: a form folds them away. */
  folded?: true;
  names: readonly string[];
};

/** How the fields of resource types that have many stand together. */
const groups: Readonly<Partial<Record<ResourceType, readonly Group[]>>> = {
  apps: [
    {
      legend: "about",
      names: [
        "name",
        "description",
        "logo_url",
        "app_type",
        "client_id",
        "owner_id",
        "organization_id",
        "active",
      ],
    },
    {
      legend: "sign_in",
      names: ["redirect_uris", "public", "first_party", "allowed_grants", "allowed_scopes"],
    },
    { legend: "tokens", names: ["access_token_ttl", "refresh_token_ttl", "refresh_token_rotation"] },
    { legend: "advanced", folded: true, names: ["allowed_response_types", "metadata", "secrets", "id"] },
  ],
  users: [
    { legend: "about", names: ["name", "email", "avatar_url"] },
    {
      legend: "sign_in",
      names: ["password", "current_password", "is_platform_admin", "active", "last_login_at"],
    },
    { legend: "advanced", folded: true, names: ["id"] },
  ],
  organizations: [
    { legend: "about", names: ["name", "slug", "logo_url", "plan", "active"] },
    { legend: "advanced", folded: true, names: ["settings", "id"] },
  ],
  memberships: [
    { legend: "access", names: ["user_id", "email", "organization_id", "role", "permissions"] },
    { legend: "advanced", folded: true, names: ["id"] },
  ],
  service_accounts: [
    { legend: "about", names: ["name", "description", "email", "organization_id", "created_by"] },
    { legend: "access", names: ["allowed_scopes", "active"] },
    { legend: "advanced", folded: true, names: ["id"] },
  ],
  api_keys: [
    { legend: "about", names: ["name", "user_id", "organization_id", "key_prefix"] },
    { legend: "access", names: ["scopes", "expires_at", "revoked"] },
    { legend: "advanced", folded: true, names: ["id"] },
  ],
};

export type GroupedFields<F> = {
  /** Absent for those that are in no group. */
  legend?: Group["legend"];
  folded: boolean;
  fields: readonly F[];
};

/**
 * The fields by group, in the order of the groups and, within one, of its names. Those of no group stand
 * before what is folded away; groups without a field are left out.
 */
export function groupedFields<F extends { name: string }>(
  resourceType: ResourceType,
  fields: readonly F[],
): GroupedFields<F>[] {
  const of = groups[resourceType] ?? [];
  const named = of.flatMap(({ names }) => names);
  const known = of.map(({ legend, folded = false, names }): GroupedFields<F> => {
    const found = names.flatMap((name) => fields.filter((field) => field.name === name));
    return { legend, folded, fields: found };
  });
  const rest = { folded: false, fields: fields.filter(({ name }) => !named.includes(name)) };
  const open = known.filter(({ folded }) => !folded);
  const closed = known.filter(({ folded }) => folded);
  return [...open, rest, ...closed].filter((group) => group.fields.length > 0);
}
