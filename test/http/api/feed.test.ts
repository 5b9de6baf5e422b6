/** The feed of events over HTTP: cursor, types, long polls, and the events that a credential may read. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Organization } from "../../../src/records/definition/definition.ts";
import { aFeedEvent, anEvent, anOrganization, aUser } from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

const [database] = databases as [(typeof databases)[number]];
const path = "/api/v1/events";

describe("the feed of events for polling", () => {
  let it: ApiServer;
  let acme: Organization;
  let of_acme: string;

  before(async () => {
    it = await apiServer({ ...database, open: () => database.open({ events: true }) });
    acme = await anOrganization(it.store);
    const scopes = ["postern:events:read"];
    of_acme = (await anApiKeyText(it, { user_id: null, organization_id: acme.id, scopes })).key;
  });

  const get = async (query: string, key = it.key) => {
    const answer = await it.app.inject({ url: `${path}?${query}`, headers: bearer(key) });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };
  const newest = async () => (await it.store.feedBounds()).newest;

  test("EV-3: events are read after a position, narrowed by type, and an organization's key reads only its own", async () => {
    const after = await newest();
    const user = await aUser(it.store);
    const details = { after: { name: "Grace" } };
    await anEvent(it.store, { type: "user.updated", target_id: user.id, details });
    const theirs = await aFeedEvent(it.store, { organization_id: acme.id, type: "membership.created" });
    await it.store.numberEvents();
    const all = await get(`after=${after}`);
    assert.equal(all.status, 200, JSON.stringify(all.body));
    assert.deepEqual(
      all.body.data.map((event: { type: string; subject_id: string; position: number }) => [
        event.position,
        event.type,
        event.subject_id,
      ]),
      [
        [after + 1, "user.updated", user.id],
        [after + 2, "membership.created", theirs.subject_id],
      ],
    );
    assert.ok(!("arrived" in all.body.data[0]));
    assert.equal(all.body.position, after + 2);
    const one = await get(`after=${after}&limit=1`);
    assert.deepEqual([one.body.data.length, one.body.position], [1, after + 1]);
    const typed = await get(`after=${after}&types=user.deleted,membership.created`);
    assert.deepEqual(
      typed.body.data.map(({ id }: { id: string }) => id),
      [theirs.id],
    );
    const own = await get(`after=${after}`, of_acme);
    assert.deepEqual(
      own.body.data.map(({ id }: { id: string }) => id),
      [theirs.id],
    );
    assert.deepEqual((await get("after=latest")).body, {
      data: [],
      next_cursor: null,
      previous_cursor: null,
      position: after + 2,
      cursor: `${after + 2}.${theirs.id.slice(-8)}`,
    });
  });

  test("EV-3: a position before the oldest event is 410 and names the oldest; one after the newest is 400", async () => {
    await aFeedEvent(it.store);
    await aFeedEvent(it.store);
    await it.store.numberEvents();
    const last = await newest();
    const row = await it.store.find("events", { position: 1 });
    await it.store.remove("events", { position: 1 });
    const gone = await get("after=0");
    assert.equal(gone.status, 410, JSON.stringify(gone.body));
    assert.deepEqual([gone.body.code, gone.body.errors[0].params], ["events_gone", { position: 2 }]);
    assert.equal((await get("after=1")).status, 200);
    if (row !== undefined) await it.store.insert("events", row);
    for (const query of [
      `after=${last + 1}`,
      "after=",
      "after=-1",
      "after=0&limit=201",
      "after=0&limit=0",
      "after=0&wait=21",
      "after=0&types=user.eaten",
      "after=0&colour=red",
    ]) {
      const wrong = await get(query);
      assert.deepEqual([wrong.status, wrong.body.code], [400, "invalid_filter"], query);
    }
  });

  test("EV-3: after a restore of the database, cursors issued since the backup are refused and older ones continue", async () => {
    const cursorOf = async () => (await get("after=latest")).body.cursor;
    await aFeedEvent(it.store);
    await it.store.numberEvents();
    const kept = await cursorOf();
    const copied = await newest();
    const next = async () => {
      await aFeedEvent(it.store);
      await it.store.numberEvents();
    };
    for (let index = 0; index < 2; index++) await next();
    const read = await get(`after=${kept}&limit=1`);
    assert.deepEqual([read.body.position, read.body.cursor.split(".")[0]], [copied + 1, String(copied + 1)]);
    const before = [read.body.cursor, await cursorOf()];
    // As after a restore of a backup: the two newest events are missing.
    for (const position of [copied + 1, copied + 2]) await it.store.remove("events", { position });
    for (let index = 0; index < 3; index++) {
      for (const cursor of before) {
        const { status, body } = await get(`after=${cursor}`);
        assert.deepEqual([status, body.code], [410, "feed_restored"], `${cursor} of ${copied + index}`);
      }
      assert.equal((await get(`after=${kept}`)).body.data.length, index);
      await next();
    }
    assert.equal((await get(`after=${copied + 2}`)).status, 200);
    for (const wrong of [`${kept}0`, kept.replace(".", ","), `${copied}.`, `${copied}.XYZ12345`])
      assert.equal((await get(`after=${wrong}`)).status, 400, wrong);
    // If the event of a cursor has been deleted, the random part of the cursor is not compared.
    const row = await it.store.find("events", { position: 1 });
    await it.store.remove("events", { position: 1 });
    assert.equal((await get("after=1.00000000")).status, 200);
    if (row !== undefined) await it.store.insert("events", row);
  });

  test("EV-3: a credential without the scope can read no event", async () => {
    const { key } = await anApiKeyText(it, { user_id: it.administrator.id, scopes: ["postern:users:read"] });
    assert.equal((await get("after=0", key)).status, 403);
  });

  test("EV-3: a request waits for the next event for at most the time that it states", async () => {
    const after = await newest();
    let answered = false;
    const waiting = get(`after=${after}&wait=20`).finally(() => {
      answered = true;
    });
    const short = await get(`after=${after}&wait=1`);
    assert.deepEqual([short.status, short.body.data], [200, []]);
    assert.equal(answered, false);
    const event = await aFeedEvent(it.store);
    await it.store.numberEvents();
    const { body } = await waiting;
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [event.id],
    );
  });

  test("EV-3: at most four requests of a caller and 32 in all wait at once, and a stop of the server ends them", async () => {
    const other = await apiServer({ ...database, open: () => database.open({ events: true }) });
    const wait = async (key: string) => {
      const answer = await other.app.inject({ url: `${path}?after=0&wait=20`, headers: bearer(key) });
      return [answer.statusCode, answer.headers["retry-after"]] as const;
    };
    const keys: string[] = [];
    for (let index = 0; index < 9; index++) {
      const { id: organization_id } = await anOrganization(other.store);
      const scopes = ["postern:events:read"];
      keys.push((await anApiKeyText(other, { user_id: null, organization_id, scopes })).key);
    }
    const [first = "", last = "", ...others] = keys;
    const ofOne = Array.from({ length: 5 }, () => wait(first));
    assert.deepEqual(await Promise.race(ofOne), [429, "5"]);
    const ofAll = [...others.flatMap((key) => Array.from({ length: 4 }, () => wait(key))), wait(last)];
    assert.deepEqual(await Promise.race(ofAll), [429, "5"]);
    await other.app.close();
    const statuses = (await Promise.all([...ofOne, ...ofAll])).map(([status]) => status);
    assert.deepEqual(
      statuses.filter((status) => status !== 200),
      [429, 429],
    );
  });
});
