import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, test } from "node:test";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { SealError, sealer } from "../../src/crypto/sealing.ts";
import { generateSigningKey } from "../../src/crypto/signing_keys.ts";
import { introspect } from "../../src/oauth/introspect.ts";
import { keyRingSource } from "../../src/oauth/key_ring_source.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { issuer, type TestServer, testServer } from "../support/authorization_server.ts";
import { anApp, aUser, later } from "../support/builders.ts";
import { describeInForm, openStoreAt } from "../support/databases.ts";
import { credentialsOf, endpointRequest, redeem } from "../support/flows.ts";
import { until } from "../support/until.ts";

/** The longest possible life of a token here, in seconds. */
const longest = 900;

/** Adds the next key through `store`; it starts to sign an hour from now. */
async function addNextKey({ server, clock }: TestServer, store: Store): Promise<string> {
  const id = store.newId(clock.now());
  const key = await generateSigningKey(server.sealer, id);
  await store.addNextSigningKey(
    {
      id,
      kid: key.kid,
      public_jwk: { ...key.public_jwk },
      algorithm: key.algorithm,
      private_key_sealed: key.private_key_sealed,
      activates_at: later(3600, clock.now()),
      created_at: clock.now(),
    },
    longest,
  );
  return key.kid;
}

describeInForm("signing keys", (database) => {
  let as: TestServer;
  /** Another process's connection to the same database. */
  let elsewhere: Store;
  let app: OAuthApp;
  let authorization: string | undefined;

  before(async () => {
    const address = await database.tables();
    const store = await openStoreAt(address);
    elsewhere = await openStoreAt(address);
    as = await testServer(store);
    app = await anApp(store, { allowed_grants: ["client_credentials"], app_type: "machine" });
    authorization = await credentialsOf(as, app);
  });

  const kids = async () => {
    const { keys } = (await as.server.keys()).jwks(as.clock.now());
    return keys.map(({ kid }) => kid);
  };
  const tokenKid = async () => {
    const { access_token } = await redeem(as, app, authorization, {
      grant_type: "client_credentials",
      scope: "orders:read",
    });
    return { access_token, kid: decodeProtectedHeader(access_token).kid };
  };

  test("D-4: the next key is published before it signs, and the old one until its last token has expired", async () => {
    const [old] = await kids();
    const before = await tokenKid();
    assert.equal(before.kid, old);
    const next = await addNextKey(as, as.store);
    assert.deepEqual((await kids()).toSorted(), [old, next].toSorted());
    assert.equal((await tokenKid()).kid, old);

    as.clock.advance(3599);
    const last = await tokenKid();
    assert.equal(last.kid, old);
    as.clock.advance(1);
    const first = await tokenKid();
    assert.equal(first.kid, next);

    // The last token of the old key verifies until it expires, with the published key set and at this server.
    as.clock.advance(longest - 2);
    const keySet = createLocalJWKSet((await as.server.keys()).jwks(as.clock.now()));
    for (const { access_token } of [last, first]) {
      await jwtVerify(access_token, keySet, { issuer, currentDate: as.clock.now() });
      const answer = await introspect(endpointRequest({ token: access_token }, authorization), as.server);
      assert.equal(answer.active, true);
    }
    as.clock.advance(2);
    assert.deepEqual(await kids(), [next]);
  });

  test("D-4: another process's rotation is visible without a restart", async () => {
    const before = await kids();
    const next = await addNextKey(as, elsewhere);
    await until(async () => (await kids()).includes(next), "the next key is seen");
    assert.deepEqual((await kids()).toSorted(), [...before, next].toSorted());
    as.clock.advance(3600);
    assert.equal((await tokenKid()).kid, next);
  });

  test("D-4: keys are decrypted again only after they changed", async () => {
    const ring = await as.server.keys();
    await aUser(as.store);
    assert.equal(await as.server.keys(), ring);
    await addNextKey(as, as.store);
    assert.notEqual(await as.server.keys(), ring);
  });

  test("a failed read of the keys is tried again by the next request", async () => {
    let broken = true;
    const flaky: Store = {
      ...as.store,
      async listSigningKeys() {
        if (broken) throw new Error("the database is away");
        return as.store.listSigningKeys();
      },
    };
    const keys = keyRingSource(flaky, as.server.sealer);
    await assert.rejects(keys(), /the database is away/);
    broken = false;
    assert.equal((await keys()).published(as.clock.now()).length, (await kids()).length);
  });

  test("D-4: cached keys are not trusted after a change, or while notices of changes are lost", async () => {
    let isCurrent = true;
    let listener = () => {};
    const reads: PromiseWithResolvers<void>[] = [];
    const observed: Store = {
      ...as.store,
      isCurrent: () => isCurrent,
      onChange(hear) {
        listener = hear;
      },
      async listSigningKeys() {
        const read = Promise.withResolvers<void>();
        reads.push(read);
        await read.promise;
        return as.store.listSigningKeys();
      },
    };
    const keys = keyRingSource(observed, as.server.sealer);
    const early = keys();
    listener();
    const late = keys();
    for (const read of reads) read.resolve();
    await Promise.all([early, late]);
    assert.equal(reads.length, 2, "the one who asks after the change reads");
    await keys();
    assert.equal(reads.length, 2, "and nobody after that");
    listener();
    const afterChange = keys();
    reads[2]?.resolve();
    await afterChange;
    assert.equal(reads.length, 3);
    isCurrent = false;
    const unheard = keys({ remembered: true });
    reads[3]?.resolve();
    await unheard;
    assert.equal(reads.length, 4);
  });

  test("D-4: a read that started before a rotation and ended after it is not cached", async () => {
    let listener = () => {};
    let isSlow = false;
    const reads: PromiseWithResolvers<void>[] = [];
    const observed: Store = {
      ...as.store,
      onChange(hear) {
        listener = hear;
      },
      async listSigningKeys() {
        const rows = await as.store.listSigningKeys();
        const read = Promise.withResolvers<void>();
        reads.push(read);
        if (isSlow) await read.promise;
        return rows;
      },
    };
    const keys = keyRingSource(observed, as.server.sealer);
    isSlow = true;
    const early = keys();
    await until(() => reads.length === 1, "the first read has its rows");
    isSlow = false;
    const next = await addNextKey(as, as.store);
    listener();
    assert.ok((await keys()).find(next));
    reads[0]?.resolve();
    await early;
    // Another cached value has changed, and the database is slow.
    isSlow = true;
    listener();
    assert.ok((await keys({ remembered: true })).find(next));
    for (const read of reads) read.resolve();
  });

  test("D-5: if keys cannot be decrypted with the server's secret, no start succeeds and no new key replaces them", async () => {
    const rows = await as.store.listSigningKeys();
    const keys = keyRingSource(as.store, sealer([randomBytes(32)]));
    await assert.rejects(keys(), SealError);
    assert.deepEqual(await as.store.listSigningKeys(), rows);
  });
});
