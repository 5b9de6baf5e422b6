import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "../database/dialect.ts";
import { wordTable } from "./0003_management.ts";
import { orderIndex, trigramsOnPostgres, trigramsOnSqlite } from "./0037_list_orders.ts";

const searched = ["roles", "groups", "app_roles"] as const;

const orders = {
  roles: ["created_at", "name"],
  groups: ["created_at", "display_name"],
  group_members: ["created_at"],
  app_roles: ["created_at", "name"],
} as const;

export const roleRecords = (t: Readonly<Record<Kind, string>>, database: Dialect["name"]): string => `
ALTER TABLE oauth_apps ADD COLUMN sign_in_roles ${t.json} NOT NULL DEFAULT '[]';
ALTER TABLE oauth_apps ADD COLUMN sign_in_groups ${t.json} NOT NULL DEFAULT '[]';
ALTER TABLE resources ADD COLUMN role_bound ${t.bool} NOT NULL DEFAULT FALSE;
ALTER TABLE memberships ADD COLUMN role_ids ${t.json} NOT NULL DEFAULT '[]';
ALTER TABLE memberships ADD COLUMN app_role_ids ${t.json} NOT NULL DEFAULT '[]';
CREATE TABLE roles (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  organization_id ${t.uuid} REFERENCES organizations (id) ON DELETE CASCADE,
  name ${t.string} NOT NULL,
  description ${t.string},
  descriptions ${t.json},
  permissions ${t.json} NOT NULL DEFAULT '[]',
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  name_key ${t.string} NOT NULL CONSTRAINT roles_name_key_key UNIQUE
);
CREATE INDEX roles_organization_id ON roles (organization_id, id);
CREATE TABLE groups (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  organization_id ${t.uuid} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  display_name ${t.string} NOT NULL,
  external_id ${t.string},
  role_ids ${t.json} NOT NULL DEFAULT '[]',
  app_role_ids ${t.json} NOT NULL DEFAULT '[]',
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  CONSTRAINT groups_organization_id__display_name_key UNIQUE (organization_id, display_name),
  CONSTRAINT groups_organization_id__external_id_key UNIQUE (organization_id, external_id)
);
CREATE INDEX groups_organization_id ON groups (organization_id, id);
CREATE TABLE group_members (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  group_id ${t.uuid} NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  membership_id ${t.uuid} NOT NULL REFERENCES memberships (id) ON DELETE CASCADE,
  created_at ${t.time} NOT NULL,
  CONSTRAINT group_members_group_id__user_id_key UNIQUE (group_id, user_id)
);
CREATE INDEX group_members_group_id ON group_members (group_id, id);
CREATE INDEX group_members_user_id ON group_members (user_id, id);
CREATE INDEX group_members_membership_id ON group_members (membership_id);
CREATE TABLE app_roles (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  resource_id ${t.uuid} NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
  name ${t.string} NOT NULL,
  description ${t.string},
  scopes ${t.json} NOT NULL DEFAULT '[]',
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  CONSTRAINT app_roles_resource_id__name_key UNIQUE (resource_id, name)
);
CREATE INDEX app_roles_resource_id ON app_roles (resource_id, id);
${searched.map((table) => wordTable(table, t, database)).join("")}
${Object.entries(orders)
  .flatMap(([table, columns]) => columns.map((column) => orderIndex(table, column, t, database)))
  .join("")}
${database === "postgres" ? trigramsOnPostgres(searched) : searched.map(trigramsOnSqlite).join("")}
`;
