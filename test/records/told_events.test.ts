/**
 * The events that consumers receive about audit events: every action has a decision, and the data is minimal.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventTypes } from "../../src/records/definition/event_types.ts";
import {
  feedEventTypes,
  memberSources,
  shapeOfEvent,
  type Told,
} from "../../src/records/names/feed_events.ts";
import { type ToldAudit, toldOf } from "../../src/records/rules/told_events.ts";

const id = "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a";

const audit = (type: string, given: Partial<ToldAudit> = {}): ToldAudit => ({
  type,
  outcome: "success",
  actor_kind: "user",
  actor_id: "actor",
  target_id: id,
  organization_id: "organization",
  details: null,
  ...given,
});

/** Details with every member that audit events of some type have. */
const full = {
  before: { user_id: "user", email: "ada@example.com", name: "Ada", role: "member", provider: "google" },
  after: { user_id: "user", email: "grace@example.com", name: "Grace", role: "admin", active: false },
  ...{
    user_id: "user",
    app_id: "app",
    reason: "wrong_password",
    factor: "passkey",
    factor_id: id,
    name: "Ada's key",
  },
};

const typesOf = (told: readonly Told[]) => told.map(({ type }) => type);

describe("events for webhooks and the event feed", () => {
  test("EV-1: no event contains a name or an email, and each has the fields of its type", () => {
    const types = new Set<string>();
    for (const type of eventTypes)
      for (const [outcome, actor_kind] of [
        ["success", "user"],
        ["failure", "user"],
        ["failure", "client"],
      ] as const)
        for (const { data, ...told } of toldOf(audit(type, { outcome, actor_kind, details: full }))) {
          types.add(told.type);
          const shape = shapeOfEvent(told.type);
          const text = JSON.stringify(data);
          assert.ok(!/example\.com|Ada|Grace/.test(text), `${type}: ${text}`);
          // The storage layer adds the membership of each member.
          const isOfMembers = memberSources.some((source) => source === told.from);
          const optional = [...(shape.optional ?? []), ...(isOfMembers ? ["membership_id"] : [])];
          const names = Object.keys(shape.data);
          assert.deepEqual(
            Object.keys(data).filter((name) => !names.includes(name)),
            [],
            type,
          );
          assert.deepEqual(
            names.filter((name) => !(name in data) && !optional.includes(name)),
            [],
            type,
          );
        }
    // These are reported where their rows are written.
    const ofRows = ["session.started", "session.ended", "consent.granted", "user.email_verified"];
    const reactivated = ["organization.reactivated", "app.reactivated"];
    const expected = feedEventTypes.filter((type) => ![...ofRows, ...reactivated].includes(type));
    assert.deepEqual([...types].toSorted(), expected.toSorted());
  });

  test("EV-1: an update names its changed fields, and activation and a new email have events of their own", () => {
    const after = { active: true, email: "grace@example.com" };
    const told = toldOf(audit("user.updated", { details: { before: {}, after } }));
    assert.deepEqual(typesOf(told), ["user.updated", "user.reactivated", "user.email_changed"]);
    assert.deepEqual(told[0]?.data, { changed: ["active", "email"] });
    assert.deepEqual(
      toldOf(audit("user.updated", { details: { after: {}, also_changed: ["password_hash"] } })),
      [],
    );
    assert.deepEqual(typesOf(toldOf(audit("user.imported", { details: { after: { name: "Ada" } } }))), [
      "user.created",
    ]);
  });

  test("EV-1: a membership names the roles, permissions and groups that were added and removed", () => {
    const before = { role: "member", permissions: ["apps:read", "users:read"] };
    const after = { role: "admin", permissions: ["apps:read"] };
    const [told] = toldOf(audit("membership.updated", { details: { before, after } }));
    assert.deepEqual(told, {
      type: "membership.updated",
      key: id,
      from: "membership",
      data: {
        membership_id: id,
        changed: ["role", "permissions"],
        added: ["admin"],
        removed: ["member", "users:read"],
      },
    });
    const row = { membership_id: "m", group_id: "g", user_id: "u" };
    const [joined] = toldOf(audit("group_member.created", { details: { after: row } }));
    assert.deepEqual(joined?.data, { membership_id: "m", changed: ["groups"], added: ["g"] });
  });

  test("EV-1: no failure is reported except a known user's failed sign-in and a replay", () => {
    assert.deepEqual(toldOf(audit("user.created", { outcome: "failure" })), []);
    const failed = { outcome: "failure", details: { reason: "wrong_password", method: "password" } } as const;
    assert.deepEqual(toldOf(audit("sign_in", failed)), [
      { type: "sign_in.failed", key: "actor", data: { reason: "wrong_password" } },
    ]);
    assert.deepEqual(toldOf(audit("sign_in", { ...failed, actor_kind: "anonymous", actor_id: null })), []);
    assert.deepEqual(toldOf(audit("sign_in")), []);
  });
});
