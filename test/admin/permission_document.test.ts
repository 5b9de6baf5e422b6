import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Permission,
  permissions,
  permissionsOf,
  rolePermissions,
  scopeOf,
} from "../../src/records/definition/permissions.ts";
import { permissionDocument } from "../support/permission_table.ts";

test("docs/permissions.md is generated from the effective permissions", () => {
  const { current, renewed } = permissionDocument();
  assert.equal(current, renewed, "make it anew: node test/support/permission_table.ts");
});

test("each role includes the permissions of the roles below it", () => {
  const { owner, admin, developer, member } = rolePermissions;
  for (const [higher, lower] of [
    [owner, admin],
    [admin, developer],
    [developer, member],
  ] as const)
    assert.deepEqual(
      lower.filter((permission) => !higher.includes(permission)),
      [],
    );
});

test("a scope grants its own permission, postern:read all reads, postern:manage everything, and any other scope nothing", () => {
  for (const permission of permissions)
    assert.deepEqual([...permissionsOf([scopeOf(permission)])], [permission]);
  const readings = permissions.filter((permission: Permission) => permission.endsWith(":read"));
  assert.deepEqual([...permissionsOf(["postern:read"])], readings);
  assert.deepEqual([...permissionsOf(["openid", "postern:manage"])], permissions);
  assert.deepEqual(
    [...permissionsOf(["openid", "token:introspect", "postern:", "apps:read", "postern:apps"])],
    [],
  );
});
