/** The owners of a webhook endpoint are notified that the server disabled it, and at which position. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deliver } from "../../src/oauth/deliveries/deliver.ts";
import { endpointNotices } from "../../src/people/core/notices/endpoint_notice.http.ts";
import { sendOutbox } from "../../src/people/core/outbox.ts";
import type { Mail } from "../../src/records/names/notices.ts";
import { languages } from "../../src/web/words/language.ts";
import { serverOn } from "../support/authorization_server.ts";
import {
  aFeedEvent,
  aMembership,
  anEndpoint,
  anOrganization,
  aUser,
  sealSecrets,
} from "../support/builders.ts";
import { databases } from "../support/databases.ts";

describe("the mail about a webhook endpoint that was disabled", () => {
  const [database] = databases;
  assert.ok(database);
  const as = serverOn({ ...database, open: () => database.open({ events: true }) }, {});

  async function mailsAfter(status: number, organization_id: string | null, hours = 0) {
    const { store, server, clock } = as;
    const { id } = await anEndpoint(store, { organization_id });
    await sealSecrets(as, id);
    const first = await aFeedEvent(store, { organization_id });
    await store.numberEvents();
    await store.fillWebhooks(clock.now());
    const identity = { store, sealer: server.sealer, now: clock.now } as never;
    const onDisabled = endpointNotices({ server, identity, languages });
    const way = { send: async () => ({ status, headers: {}, body: Buffer.alloc(0) }) };
    for (let hour = 0; hour <= hours; hour += 1) {
      for (const due of await store.dueDeliveries(clock.now(), 200, [])) {
        if (due.target_id !== id) continue;
        const [claimed] = await store.claimDeliveries([due], due.id, clock.now());
        if (claimed) await deliver(claimed, { server, outbound: { public: way, internal: way }, onDisabled });
      }
      if (hour < hours) clock.advance(3600);
    }
    const mails: Mail[] = [];
    await sendOutbox(identity, async (mail) => mails.push(mail) > 0);
    const position = ((await store.find("events", { id: first.id }))?.position ?? 0) - 1;
    return { id, mails, position };
  }

  test("EV-6: after a 410, owners and administrators of the organization get the mail, each in their language", async () => {
    const acme = await anOrganization(as.store, { name: "Acme" });
    const people = { owner: "de", admin: null, developer: null, member: null } as const;
    for (const [role, language] of Object.entries(people)) {
      const user = await aUser(as.store, { email: `${role}@acme.example`, language });
      await aMembership(as.store, { user_id: user.id, organization_id: acme.id, role });
    }
    const off = await aUser(as.store, { email: "off@acme.example", active: false });
    await aMembership(as.store, { user_id: off.id, organization_id: acme.id, role: "owner" });
    const { id, mails, position } = await mailsAfter(410, acme.id);
    const by = Object.fromEntries(mails.map((mail) => [mail.to, mail]));
    assert.deepEqual(Object.keys(by).sort(), ["admin@acme.example", "owner@acme.example"]);
    const { subject, text } = by["admin@acme.example"] as Mail;
    assert.equal(subject, "A webhook endpoint of Acme was disabled");
    assert.match(text, new RegExp(`\\(410\\)[^]*up to position ${position}\\.`));
    assert.ok(text.includes(`/console/webhook-endpoints/${id}`), text);
    assert.match(by["owner@acme.example"]?.subject ?? "", /deaktiviert/);
  });

  test("EV-6: after three days of failures, platform administrators get the mail for an endpoint of the server", async () => {
    await aUser(as.store, { email: "root@example.com", is_platform_admin: true });
    await aUser(as.store, { email: "former@example.com", is_platform_admin: true, active: false });
    const { mails } = await mailsAfter(500, null, 90);
    assert.deepEqual(
      mails.map(({ to }) => to),
      ["root@example.com"],
    );
    assert.match(mails[0]?.text ?? "", /accepted no event for three days/);
  });
});
