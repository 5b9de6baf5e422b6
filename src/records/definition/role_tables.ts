/** Custom roles, groups of members, and roles at an API (OC-6, docs/organizations.md). */
import { longestIdentifier } from "../names/resource_identifiers.ts";
import { defaulting, id, object, optional, reference, string, strings } from "./field.ts";
import { created_at, kept, type TableDefinition, table, updated_at } from "./table.ts";

const most = { items: 100, characters: 36 };
const longestName = 64;

/**
 * Returns the fields with the roles of a membership, group or invitation. `named` turns a kind of roles into
 * a phrase for the meaning of its field.
 */
export const givenRoles = (named: (roles: string) => string) => ({
  role_ids: defaulting(
    strings(`IDs of ${named("custom roles")}`, {
      ids_of: "roles",
      named_as: { words: "IDs or names", characters: longestName },
      plain: "line",
      distinct: true,
      most,
    }),
    [],
  ),
  app_role_ids: defaulting(
    strings(`IDs of ${named("app roles")}`, {
      ids_of: "app_roles",
      named_as: {
        words: "IDs or names (as API-identifier#role-name)",
        characters: longestIdentifier + 1 + longestName,
      },
      plain: "line",
      distinct: true,
      most,
    }),
    [],
  ),
});

const name = (meaning: string) =>
  string(meaning, {
    plain: "line",
    format: "role_name",
    not_empty: true,
    max_length: longestName,
    searchable: true,
  });

const description = optional(string("description", { plain: "lines", max_length: 1000 }));

export const roleTables = {
  roles: table("roles in organizations, in addition to the built-in ones", {
    id: id(),
    organization_id: optional(
      reference(
        "organizations",
        "owning organization; null if every organization may assign the role",
        "cascade",
      ),
    ),
    name: name("role name, exactly as it appears in tokens"),
    description,
    descriptions: optional(
      object("translations of the description, by language code such as `de`", {
        format: "descriptions_by_language",
      }),
    ),
    permissions: defaulting(
      strings("permissions for your own applications, exactly as they appear in tokens", {
        format: "permission_word",
        distinct: true,
        most: { items: 100, characters: 64 },
      }),
      [],
    ),
    created_at,
    updated_at,
    name_key: string("owner and name in lower case", { internal: true, unique: true }),
  }).with({
    owner: { organization: "organization_id", added_to: ["organization_id", "platform"] },
    indexes: { few: ["name_key"], ordered: ["organization_id"] },
    counted_as: null,
  }),

  groups: table("groups of an organization's members", {
    id: id(),
    organization_id: reference("organizations", "owning organization", "cascade"),
    display_name: string("group name, exactly as it appears in tokens", {
      plain: "line",
      format: "group_name",
      not_empty: true,
      max_length: 255,
      searchable: true,
    }),
    external_id: optional(
      string("ID of the group in the directory that it comes from", {
        not_empty: true,
        max_length: 255,
        searchable: true,
      }),
    ),
    ...givenRoles((roles) => `the ${roles} that the group grants to its members`),
    created_at,
    updated_at,
  }).with({
    unique: [
      ["organization_id", "display_name"],
      ["organization_id", "external_id"],
    ],
    owner: { organization: "organization_id", added_to: ["organization_id"] },
    indexes: { ordered: ["organization_id"] },
    counted_as: null,
  }),

  group_members: table("members of groups", {
    id: id(),
    group_id: reference("groups", "the group", "cascade"),
    user_id: reference("users", "the member", "cascade"),
    membership_id: reference("memberships", "the user's membership in the organization", "cascade", kept),
    created_at,
  }).with({
    unique: [["group_id", "user_id"]],
    owner: { user: { column: "user_id" }, through: ["group_id"], added_to: ["group_id"] },
    indexes: { ordered: ["user_id", "group_id"], pair: ["group_id", "user_id"] },
    counted_as: null,
  }),

  app_roles: table("roles of an API, each of which grants some of the API's scopes", {
    id: id(),
    resource_id: reference("resources", "API that the role belongs to", "cascade"),
    name: name("role name, exactly as it appears in tokens for the API"),
    description,
    scopes: defaulting(
      strings("scopes of the API that the role grants", { format: "scope", distinct: true }),
      [],
    ),
    created_at,
    updated_at,
    name_key: optional(string("API and name in lower case", { internal: true, unique: true })),
  }).with({
    unique: [["resource_id", "name"]],
    owner: { through: ["resource_id"], added_to: ["resource_id"] },
    indexes: { few: ["name_key"], ordered: ["resource_id"] },
    counted_as: null,
  }),
} as const satisfies Record<string, TableDefinition>;
