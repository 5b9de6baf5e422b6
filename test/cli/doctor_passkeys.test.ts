import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { examinePasskeys } from "../../src/cli/doctor_passkeys.ts";
import { testServer } from "../support/authorization_server.ts";
import { aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aPasskey } from "../support/passkeys.ts";

for (const database of databasesInForm)
  describe(`the doctor's look at passkeys on ${database.name}`, () => {
    test("PK-12 counts passkeys by host, and finds those of another host wrong", async () => {
      const { server } = await testServer(await database.open());
      const { store, memory, passwords, sealer, now, report } = server;
      const context = { store, memory, passwords, sealer, now, report, throttle: true };
      assert.equal(await examinePasskeys(store, "https://id.example"), undefined);
      const user = await aUser(store);
      await aPasskey(user, context);
      await aPasskey(user, context);
      assert.deepEqual(await examinePasskeys(store, "https://id.example:8443"), {
        check: "passkeys",
        ok: true,
        detail: "2 for id.example",
      });
      const moved = await examinePasskeys(store, "https://login.example");
      assert.equal(moved?.ok, false);
      assert.match(moved?.detail ?? "", /^2 for id\.example: login\.example cannot use them/);
      const address = await examinePasskeys(store, "http://127.0.0.1:8080");
      assert.match(address?.detail ?? "", /no browser uses passkeys on an IP address/);
    });
  });
