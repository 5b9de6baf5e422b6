import assert from "node:assert/strict";
import { test } from "node:test";
import { aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { insertAny } from "./any_row.ts";

for (const database of databases)
  test(`the kinds of second factors of many users are found by one query on ${database.name}`, async () => {
    const store = await database.open();
    const [none, all, keys] = [await aUser(store), await aUser(store), await aUser(store)];
    await insertAny(store, "totp_authenticators", { users: all.id });
    for (const user of [all, keys])
      for (const uv_initialized of [false, true, true])
        await insertAny(store, "passkeys", { users: user.id }, { signs_in: user === all, uv_initialized });
    assert.deepEqual(
      await store.secondFactorKindsOf([none.id, all.id, keys.id]),
      new Map([
        [none.id, []],
        [all.id, ["passkey", "security_key", "totp"]],
        [keys.id, ["security_key"]],
      ]),
    );
    // The look-up for a single user finds the same factors.
    const { passkeys, security_keys } = await store.secondFactorsOf(all.id);
    assert.deepEqual([passkeys.length, security_keys.length], [2, 1]);
    assert.deepEqual(await store.secondFactorKindsOf([]), new Map());
  });
