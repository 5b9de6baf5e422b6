import assert from "node:assert/strict";
import { test } from "node:test";
import { allAuthenticators } from "../../src/people/authenticators/all_authenticators.http.ts";
import { factorKinds } from "../../src/records/definition/factor_kinds.ts";
import { methodKinds } from "../../src/records/names/sign_in_methods.ts";

test("one list defines every authenticator for sign-in, the repeated proof and the security page", () => {
  const kinds = allAuthenticators.map(({ kind }) => kind);
  assert.deepEqual(kinds.toSorted(), methodKinds.toSorted());
  for (const { kind, fields, sends } of allAuthenticators) {
    assert.equal(
      fields.sign_in !== undefined,
      factorKinds.some((each) => each === kind),
      kind,
    );
    // The sudo page also contains the fields of the form that it interrupted. The prefix prevents a collision
    // of names.
    for (const name of [fields.sudo, sends ?? fields.sudo]) assert.match(name ?? "", /^sudo_/, kind);
  }
  const names = allAuthenticators.flatMap(({ fields, sends }) => [fields.sudo, sends ?? []].flat());
  assert.equal(new Set(names).size, names.length);
});
