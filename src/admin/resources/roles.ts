import type { AppRole, Role } from "../../records/definition/definition.ts";
import { omissible, string } from "../../records/definition/field.ts";
import { roleNameKey } from "../../records/formats/role_names.ts";
import type { AdminContext } from "../access/actor.ts";
import { roleNamesLock } from "../access/used_names.ts";
import type { Transaction } from "../changes/changes.ts";
import { readyMade } from "../changes/ready_made.ts";
import { deleteRecord } from "../changes/removal.ts";
import { resource } from "../manage/resource.ts";
import { rolesMeant } from "../records/given_roles.ts";
import { createGroupMember } from "../records/group_members.ts";
import { created, equal, search, searchAmong } from "./filters.ts";

async function removeRole(
  tx: Transaction,
  { id, organization_id }: Pick<Role, "id" | "organization_id">,
  _: Date,
  { store }: Pick<AdminContext, "store">,
): Promise<void> {
  await store.forgetRoles(tx, "role_ids", [id], organization_id);
  await tx.remove("roles", { id });
}

async function removeAppRole(
  tx: Transaction,
  { id, resource_id }: Pick<AppRole, "id" | "resource_id">,
  _: Date,
  { store }: Pick<AdminContext, "store">,
): Promise<void> {
  const api = await tx.find("resources", { id: resource_id });
  await store.forgetRoles(tx, "app_role_ids", [id], api?.organization_id ?? null);
  await tx.remove("app_roles", { id });
}

const role = readyMade("roles", {
  settled: { columns: ["organization_id"], code: "fixed" },
  derived: {
    from: "name",
    of: ({ organization_id, name }) => ({ name_key: roleNameKey(organization_id ?? null, name ?? "") }),
  },
});

export const roles = resource("roles", {
  filters: [...equal("roles", "organization_id", "name"), search("name"), ...created],
  columns: ["name", "organization_id", "permissions", "id"],
  called_by: ["organization_id", "name"],
  ...role,
  manifest: {
    ...role.manifest,
    known_by: ["organization_id", "name"],
    locks: () => [roleNamesLock()],
    remove: removeRole,
  },
  fixed: ["organization_id"],
  remove: (context, id, expected) =>
    deleteRecord(context, "roles", id, {
      expected,
      remove: (tx, row) => removeRole(tx, row, context.now(), context),
    }),
});

const group = readyMade("groups", {
  settled: { columns: ["organization_id"], code: "fixed" },
  meant: (reads, input, current) =>
    rolesMeant(reads, input, current ?? { organization_id: input.organization_id }),
});

export const groups = resource("groups", {
  filters: [
    ...equal("groups", "organization_id", "display_name", "external_id"),
    search("name or external_id"),
    ...created,
  ],
  columns: ["display_name", "organization_id", "external_id", "id"],
  ...group,
  fixed: ["organization_id"],
});

export const groupMembers = resource("group_members", {
  filters: [...equal("group_members", "group_id", "user_id"), searchAmong("group_members"), ...created],
  columns: ["id", "group_id", "user_id"],
  input: {
    create: {
      group_id: string("ID or name of the group", { max_length: 255, names_of: "groups" }),
      email: omissible(
        string("the user's email address, in place of `user_id`", {
          format: "email",
          max_length: 320,
          names_of: "users",
        }),
      ),
    },
  },
  made_when_absent: { user_id: "the user with the address `email`", membership_id: "the user's membership" },
  create: createGroupMember,
  remove: readyMade("group_members").remove,
});

const appRole = readyMade("app_roles", {
  settled: { columns: ["resource_id"], code: "fixed" },
  derived: {
    from: "name",
    of: ({ resource_id = "", name = "" }) => ({ name_key: roleNameKey(resource_id, name) }),
  },
});

export const appRoles = resource("app_roles", {
  filters: [...equal("app_roles", "resource_id", "name"), search("name"), ...created],
  columns: ["name", "resource_id", "scopes", "id"],
  ...appRole,
  manifest: {
    ...appRole.manifest,
    remove: removeAppRole,
  },
  fixed: ["resource_id"],
  remove: (context, id, expected) =>
    deleteRecord(context, "app_roles", id, {
      expected,
      remove: (tx, row) => removeAppRole(tx, row, context.now(), context),
    }),
});
