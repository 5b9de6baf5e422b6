import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { failureQueue } from "../../src/kit/failures.ts";
import { kitClock } from "../../src/kit/kit_clock.ts";
import { recordCommands } from "../../src/kit/kit_records.ts";
import { recorder } from "../../src/kit/recorder.ts";
import { testContext } from "../admin/context.ts";
import { testServer } from "../support/authorization_server.ts";
import { databases } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";

const [sqlite] = databases;
assert.ok(sqlite);

for (const access_token_ttl of [900, 31_536_000])
  test(`an expired token can be created although expired rows are deleted, with a lifetime of ${access_token_ttl} seconds`, async () => {
    const as = await testServer(await sqlite.open());
    const clock = kitClock(as.clock.now().getTime());
    const { now } = clock;
    /** Deletes expired rows by the current clock after each row that a token needs. */
    const swept = async <R>(written: Promise<R>): Promise<R> => {
      const row = await written;
      await as.store.sweep(await clock.runEarlier(0, async () => now()), {});
      return row;
    };
    const { insert, transaction } = as.store;
    const store = {
      ...as.store,
      insert: ((table, row) => swept(insert(table, row))) as typeof insert,
      transaction: ((work, options) => swept(transaction(work, options))) as typeof transaction,
    };
    const server = { ...as.server, store, now };
    const identity = { ...identityOn(server), store, now };
    const { switches } = testContext(store);
    const commands = recordCommands({
      running: { server, identity, store },
      config: switches as never,
      clock,
      recorder: recorder(now),
      failures: failureQueue(),
    });
    const user = await commands.user();
    const app = await commands.app({
      kind: "website",
      redirect_uris: ["http://localhost:8080/callback"],
      access_token_ttl,
    });
    const { access_token } = await commands.tokens({ app, user, expired: true });
    const { exp = 0 } = decodeJwt(access_token);
    assert.ok(exp * 1000 < now().getTime());
  });
