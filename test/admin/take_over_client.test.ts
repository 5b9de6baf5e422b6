import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { actOnRecord, createRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { token } from "../../src/oauth/token/token.ts";
import type { User } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { withPart } from "../oauth/client_fixture.ts";
import {
  aDocumentHost,
  aDocumentServer,
  aPerson,
  authorizationOf,
  type DocumentHost,
  openApi,
  redeeming,
} from "../oauth/client_sources/document_fixture.ts";
import type { TestServer } from "../support/authorization_server.ts";
import { anApp, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { ask, authorizeAndConsent, endpointRequest } from "../support/flows.ts";
import { problem, refused, testContext } from "./context.ts";

const apps = resourceOf("apps");
const redirect_uris = ["https://app.example/cb", "http://localhost/cb"];
const scope = "openid offline_access tools:read";

for (const database of databasesInForm)
  describe(`the registration of an open client as an app on ${database.name}`, () => {
    let as: TestServer;
    let host: DocumentHost;
    let who: SignedIn;
    let root: User;
    let paths = 0;

    before(async () => {
      host = await aDocumentHost();
      as = await aDocumentServer(await database.open());
      who = await aPerson(as);
      root = await aUser(as.store, { is_platform_admin: true });
    });
    after(() => host.host.close());

    const management = (user = root) => ({
      ...testContext(as.store, { kind: "user", user, session_id: "s" }),
      now: as.server.now,
    });

    /** Returns a client with issued tokens. */
    async function used() {
      const path = `/registered/${paths++}`;
      const client_id = host.publish(path, { redirect_uris });
      const answer = await authorizeAndConsent(
        as,
        who,
        authorizationOf(client_id, { scope, resource: openApi }),
      );
      const tokens = await token(
        endpointRequest(redeeming(client_id, answer.get("code") ?? "", { resource: openApi })),
        as.server,
      );
      const row = await as.store.find("oauth_apps", { client_id });
      assert.ok(row !== undefined);
      return { client_id, path, tokens, row };
    }

    test("PR-23: an administrator registers an open client as an app, and its tokens and consents stay valid", async () => {
      const { client_id, path, tokens, row } = await used();
      const context = management();
      await actOnRecord(context, apps, "register", row.id, { name: "Tools of Acme" });
      const app = await as.store.find("oauth_apps", { client_id });
      assert.ok(app !== undefined);
      assert.deepEqual(
        [app.name, app.provenance, app.owner_id, app.redirect_uris, app.localhost_any_port],
        ["Tools of Acme", "registered", root.id, redirect_uris, true],
      );
      assert.equal(await as.store.find("client_documents", { app_id: row.id }), undefined);
      const [event] = await as.store.list("audit_events", { type: "app.registered" });
      assert.equal(event?.target_id, row.id);
      assert.match(JSON.stringify(event?.details), /"name":"Tools of Acme"/);

      const before = host.host.seen.length;
      host.publish(path, { client_name: "Another", redirect_uris: ["https://elsewhere.example/cb"] });
      as.clock.advance(2 * 86_400);
      const again = await ask(as, who, authorizationOf(client_id, { scope, resource: openApi }));
      assert.equal(again.type, "redirect");
      const closed = withPart(as, {
        settings: { ...as.server.settings, profiles: [], client_hosts_denied: ["*"] },
      });
      const refreshed = await token(
        endpointRequest({ grant_type: "refresh_token", client_id, refresh_token: tokens.refresh_token }),
        closed.server,
      );
      assert.equal(refreshed.scope, scope);
      assert.equal(host.host.seen.length, before);
      assert.deepEqual((await as.store.find("oauth_apps", { client_id }))?.redirect_uris, redirect_uris);
    });

    test("PR-23: the scopes and APIs of the registered client can then be changed like those of any app", async () => {
      const { row } = await used();
      const context = management();
      const refused = problem("invalid_record", ["/default_scopes"]);
      await assert.rejects(updateRecord(context, apps, row.id, { default_scopes: ["openid"] }), refused);
      await actOnRecord(context, apps, "register", row.id, { name: "Known" });
      const changes = { default_scopes: ["openid"], first_party: true };
      const changed = await updateRecord(context, apps, row.id, changes);
      assert.deepEqual([changed.default_scopes, changed.first_party], [["openid"], true]);
      const exported = await exportManifest(context);
      assert.equal(
        exported.apps?.find(({ id }) => id === row.id),
        undefined,
      );
    });

    test("PR-23: only an administrator can register an open client, and this changes no other record", async () => {
      const { row } = await used();
      const register = (id: string, input = {}, user = root) =>
        actOnRecord(management(user), apps, "register", id, { name: "Mine", ...input });
      const before = await as.store.find("oauth_apps", { id: row.id });
      await refused(register(row.id, {}, await aUser(as.store)), "not_found");
      await refused(register(row.id, { name: " " }), "invalid_record /name");
      await refused(actOnRecord(management(), apps, "register", row.id, {}), "invalid_record /name");
      await refused(register(row.id, { first_party: true }), "invalid_record /first_party");
      await refused(register(row.id, { owner_id: row.id }), "invalid_record /owner_id");
      for (const provenance of ["registered", "dynamic_registration"] as const) {
        const other = await anApp(as.store, { owner_id: row.owner_id, provenance });
        await refused(register(other.id), "invalid_record /provenance");
      }
      assert.deepEqual(await as.store.find("oauth_apps", { id: row.id }), before);
      // A developer may write their own app, but may not register it.
      const person = await aUser(as.store);
      const own = await anApp(as.store, { owner_id: person.id });
      await refused(register(own.id, {}, person), "forbidden");
      const { record } = await createRecord(management(), apps, { name: "New", public: true });
      await refused(register(String(record.id)), "invalid_record /provenance");
    });
  });
