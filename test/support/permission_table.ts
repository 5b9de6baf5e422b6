/**
 * Generates the table in docs/permissions.md from the permissions themselves; run as a program, this file
 * updates the document.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EffectivePermissions } from "../../src/admin/access/actor.ts";
import { isPlatformOnly, mayRemove } from "../../src/admin/guards/guards.ts";
import type { OwnVerb } from "../../src/admin/manage/resource.ts";
import { type Resource, resourceOf } from "../../src/admin/resources/resources.ts";
import {
  type Permission,
  resourceTypes,
  rolePermissions,
  selfPermissions,
} from "../../src/records/definition/permissions.ts";
import { nilUuid } from "../../src/records/names/ids.ts";

const file = join(import.meta.dirname, "../../docs/permissions.md");
const from = "<!-- made from src/records/definition/permissions.ts: -->";
const to = "<!-- end of what is made -->";

const organization = { name: "Acme", permissions: new Set(rolePermissions.admin) };
const admin: EffectivePermissions = {
  platform: false,
  user_id: null,
  organizations: new Map([[nilUuid, { ...organization, role: "admin" }]]),
  allowed: new Set(rolePermissions.admin),
};

/** The name of each action in the table; undefined if only platform administrators may perform the action. */
const actions: { readonly [Verb in OwnVerb]: string | undefined } = {
  register: undefined,
  reset_factors: undefined,
  remove_factor: undefined,
  sign_out: undefined,
  revoke_everything: undefined,
  test_logout: "send a test sign-out notice",
  retry: "retry",
  ping: "test",
  replay: "repeat events",
  rotate_secret: "replace the secret",
};

function writesOf({ table, create, update, remove, revoke, verbs = {} }: Resource): string {
  const isOffered = (verb: "create" | "remove") => !isPlatformOnly(table, verb);
  const offered = [
    ...(create && isOffered("create") ? ["create"] : []),
    ...(update ? ["change"] : []),
    ...(remove && isOffered("remove")
      ? [mayRemove(admin, table, nilUuid) ? "delete" : "delete (owners)"]
      : []),
    ...(revoke ? ["revoke"] : []),
    ...(Object.keys(verbs) as OwnVerb[]).flatMap((verb) => actions[verb] ?? []),
  ];
  return offered.length === 0 ? "nothing" : offered.join(", ");
}

/**
 * Returns Markdown with one line for each resource type, and one column for each way to hold its two
 * permissions.
 */
export function permissionTable(): string {
  const holders: readonly (readonly Permission[])[] = [
    selfPermissions,
    rolePermissions.member,
    rolePermissions.developer,
    rolePermissions.admin,
    rolePermissions.owner,
  ];
  const lines = resourceTypes.map((resourceType) => {
    const marks = holders.map((grants) => {
      const held = (["read", "write"] as const).filter((verb) => grants.includes(`${resourceType}:${verb}`));
      return held.length === 2 ? "both" : (held[0] ?? "–");
    });
    return ["", `\`${resourceType}\``, writesOf(resourceOf(resourceType)), ...marks, ""].join(" | ").trim();
  });
  return [
    "| Resource type | write includes | own | member | developer | admin | owner |",
    "|---|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

/** Returns the current document, and the same document with a newly generated table. */
export function permissionDocument(): { readonly current: string; readonly renewed: string } {
  const current = readFileSync(file, "utf8");
  const [before, rest] = current.split(from);
  const after = rest?.split(to)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} has no place for the table`);
  return { current, renewed: `${before}${from}\n\n${permissionTable()}\n\n${to}${after}` };
}

if (import.meta.main) writeFileSync(file, permissionDocument().renewed);
