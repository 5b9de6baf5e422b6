import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { UnavailableError } from "../../src/errors.ts";
import { type RevocationBacklog, revocationBacklog } from "../../src/oauth/core/revocation_backlog.ts";
import { refuse } from "../../src/oauth/refusals/refuse.ts";
import { revoke } from "../../src/oauth/revoke.ts";
import { serverOn, type TestServer } from "../support/authorization_server.ts";
import { databasesInForm } from "../support/databases.ts";
import { basic, endpointRequest } from "../support/flows.ts";
import { listed } from "../support/listed.ts";
import { until } from "../support/until.ts";
import { aClientFixture, inactive, rejected, withPart } from "./client_fixture.ts";

const away = () => Promise.reject(new UnavailableError("away", "nobody answers", undefined));

describe("F-10: revocations that wait for the database (reliability finding 8)", () => {
  const unfinished = (attempt: () => Promise<void>, bytes = 100) => {
    const input: unknown[] = [];
    return { attempt, bytes, input, giveUp: (error: unknown) => void input.push(error) };
  };

  test("a waiting revocation is retried until the database accepts it, however many wait", async () => {
    const backlog = revocationBacklog();
    let there = false;
    let done = 0;
    for (let index = 0; index < 100; index++) {
      backlog.add(
        unfinished(async () => {
          if (!there) return away();
          done += 1;
        }),
      );
    }
    assert.equal(backlog.waiting(), 100);
    await wait(300);
    assert.equal(done, 0);
    there = true;
    await until(() => backlog.waiting() === 0);
    assert.equal(done, 100);
  });

  test("a revocation is given up after other errors, if too many wait, or when the server stops", async () => {
    const backlog = revocationBacklog({ most_failures: 3 });
    let tried = 0;
    const wrong = unfinished(() => {
      tried += 1;
      return Promise.reject(new TypeError("a mistake"));
    });
    backlog.add(wrong);
    await until(() => wrong.input.length === 1);
    assert.equal(tried, 3);
    assert.equal(backlog.waiting(), 0);
    const refused = unfinished(() => Promise.reject(refuse("body_refused")));
    backlog.add(refused);
    await until(() => refused.input.length === 1);
    const large = unfinished(away, 40 * 1024 * 1024);
    backlog.add(large);
    assert.equal(large.input.length, 1);
    const waiting = Array.from({ length: 10_001 }, () => unfinished(away));
    for (const each of waiting) backlog.add(each);
    assert.equal(waiting.filter(({ input }) => input.length > 0).length, 1);
    await backlog.finish(300);
    assert.equal(waiting.filter(({ input }) => input.length === 1).length, 10_001);
    assert.equal(backlog.waiting(), 0);
  });

  test("revocations delayed by an unknown error are carried out, and delay nothing else", async () => {
    const backlog = revocationBacklog();
    let broken = true;
    const done: string[] = [];
    for (let index = 0; index < 20; index++) {
      backlog.add(
        unfinished(async () => {
          if (broken) throw new TypeError("a surprise");
          done.push("kept back");
        }),
      );
    }
    backlog.add(unfinished(async () => void done.push("behind it")));
    await until(() => done.length === 1);
    broken = false;
    await until(() => backlog.waiting() === 0);
    assert.deepEqual([done[0], done.length], ["behind it", 21]);
  });

  test("when the server stops, waiting revocations are carried out if the database accepts them", async () => {
    const backlog = revocationBacklog();
    let there = false;
    let done = 0;
    backlog.add(
      unfinished(async () => {
        if (!there) return away();
        done += 1;
      }),
    );
    await wait(50);
    there = true;
    await backlog.finish(3000);
    assert.equal(done, 1);
  });
});

for (const database of databasesInForm)
  describe(`F-10: a revocation while the database is unavailable, on ${database.name} (reliability finding 8)`, () => {
    const scenario = serverOn(database);

    /** Returns a scenario whose database can be made unavailable, and then answers with `failed`. */
    function breakable(failed = away): {
      scenario: TestServer;
      backlog: RevocationBacklog;
      there: { yes: boolean };
    } {
      const backlog = revocationBacklog();
      const there = { yes: true };
      const { store } = scenario.server;
      const guarded = Object.fromEntries(
        Object.entries(store).map(([name, value]) => [
          name,
          listed`
            findClient findByAccessToken findByRefreshToken revokeFamily endAccessToken
            endPresentedAccessToken
          `.includes(name)
            ? (...args: never[]) => (there.yes ? (value as (...all: never[]) => unknown)(...args) : failed())
            : value,
        ]),
      ) as typeof store;
      return { scenario: withPart(scenario, { store: guarded, unfinished: backlog }), backlog, there };
    }

    test("the response waits for some seconds, so that a short outage is over before it is sent", async () => {
      const fixture = await aClientFixture(scenario);
      const { access_token } = await fixture.flow();
      const { scenario: broken, backlog, there } = breakable();
      there.yes = false;
      const request = endpointRequest({ token: access_token }, fixture.authorization);
      const answered = revoke(request, broken.server);
      await wait(400);
      there.yes = true;
      await answered;
      assert.equal(backlog.waiting(), 0);
      assert.deepEqual(await fixture.introspect(access_token), inactive);
    });

    test("after a longer outage the token is revoked later, but not for a client that fails authentication", async () => {
      const fixture = await aClientFixture(scenario);
      const [kept, ended] = [await fixture.flow(), await fixture.flow()];
      const { scenario: broken, backlog, there } = breakable();
      there.yes = false;
      const failures = () => scenario.events.filter(({ type }) => type === "revocation_failed").length;
      const before = failures();
      const from = performance.now();
      const wrong = basic(fixture.app.client_id, "secr wrong");
      await Promise.all([
        revoke(endpointRequest({ token: kept.refresh_token }, wrong), broken.server),
        revoke(endpointRequest({ token: ended.refresh_token }, fixture.authorization), broken.server),
      ]);
      const took = performance.now() - from;
      assert.ok(took > 3000 && took < 8000, `the answer took ${took} ms`);
      assert.equal(backlog.waiting(), 2);
      assert.equal(failures(), before);
      there.yes = true;
      await until(() => backlog.waiting() === 0);
      assert.deepEqual(await fixture.introspect(ended.access_token), inactive);
      assert.notDeepEqual(await fixture.introspect(kept.access_token), inactive);
      assert.equal(failures(), before + 1);
    });

    test("after an unexpected error, the token is revoked after the response", async () => {
      const fixture = await aClientFixture(scenario);
      const { access_token } = await fixture.flow();
      const {
        scenario: broken,
        backlog,
        there,
      } = breakable(() => Promise.reject(new TypeError("a surprise")));
      there.yes = false;
      await revoke(endpointRequest({ token: access_token }, fixture.authorization), broken.server);
      assert.equal(backlog.waiting(), 1);
      there.yes = true;
      await until(() => backlog.waiting() === 0);
      assert.deepEqual(await fixture.introspect(access_token), inactive);
    });

    test("the tokens of a reused refresh token are revoked after the response", async () => {
      const fixture = await aClientFixture(scenario);
      const { refresh_token } = await fixture.flow();
      const { access_token } = await fixture.refresh(refresh_token);
      const { scenario: broken, backlog } = breakable();
      const { revokeFamily } = broken.server.store;
      let there = false;
      const store = {
        ...broken.server.store,
        revokeFamily: ((...args) => (there ? revokeFamily(...args) : away())) as typeof revokeFamily,
      };
      const replaying = fixture.at(withPart(broken, { store }));
      await rejected(replaying.refresh(refresh_token), "invalid_grant");
      assert.equal(backlog.waiting(), 1);
      there = true;
      await until(() => backlog.waiting() === 0);
      assert.deepEqual(await fixture.introspect(access_token), inactive);
    });
  });
