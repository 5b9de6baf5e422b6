/** Reading by name, under another record, and together with referenced records. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { nestedListsOf } from "../../../src/admin/resources/nested_lists.ts";
import { resources } from "../../../src/admin/resources/resources.ts";
import { namedPathOf } from "../../../src/api/reading_routes.ts";
import type { Organization, User } from "../../../src/records/definition/definition.ts";
import { insertAny } from "../../storage/any_row.ts";
import {
  aGroup,
  aGroupMember,
  aMembership,
  anApp,
  anAppRole,
  anOrganization,
  aResource,
  aRole,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
} from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

type View = Readonly<Record<string, unknown>> & { readonly included?: Readonly<Record<string, View | null>> };

test("the API offers exactly these look-ups by name and these lists under a record", () => {
  const named = resources.flatMap((resource) => namedPathOf(resource)?.path ?? []);
  assert.deepEqual(named.map((path) => path.replace("/api/v1/", "")).sort(), [
    ...["apps/by-client-id", "events/by-position", "organizations/by-slug", "providers/by-slug"],
    "resources/by-identifier",
    ...["service-accounts/by-email", "users/by-email"],
  ]);
  const nested = resources.map(({ path, ...of }) => [
    path,
    nestedListsOf({ path, ...of })
      .map(({ name }) => name)
      .sort(),
  ]);
  assert.deepEqual(Object.fromEntries(nested.filter(([, names]) => names?.length !== 0)), {
    organizations: [
      ...["api-keys", "apps", "attributes", "groups", "members", "providers", "resources", "roles"],
      ...["service-accounts", "webhook-endpoints"],
    ],
    users: [
      ...["api-keys", "apps", "auth-codes", "consents", "group-members", "linked-accounts", "memberships"],
      ...["service-accounts", "sessions", "tokens"],
    ],
    groups: ["members"],
    resources: ["app-roles"],
    apps: ["auth-codes", "consents", "refusals", "secrets", "tokens"],
    "service-accounts": ["key-pairs", "tokens"],
  });
});

for (const database of databasesInForm)
  describe(`reads of the management API on ${database.name}`, () => {
    let it: ApiServer;
    let acme: Organization;
    let ada: User;
    /** The key of an ordinary member of Acme. */
    let memberKey: string;
    before(async () => {
      it = await apiServer(database);
      acme = await anOrganization(it.store, { slug: "acme" });
      ada = await aUser(it.store, { email: "Ada+1%@example.com", email_key: "ada+1%@example.com" });
      const member = await aUser(it.store);
      await aMembership(it.store, { user_id: member.id, organization_id: acme.id, role: "member" });
      memberKey = (await anApiKeyText(it, { user_id: member.id, scopes: ["postern:manage"] })).key;
    });

    const get = (url: string, key = it.key, headers = {}) =>
      it.app.inject({ url: `/api/v1${url}`, headers: { ...bearer(key), ...headers } });

    test("H-30: a record read by its name has the same response, tag and required permission as by its id", async () => {
      const identifier = "https://orders.example/a?b=c&d=%2F";
      const app = await anApp(it.store, {
        client_id: "a client/with ~ everything %",
        organization_id: acme.id,
      });
      const api = await aResource(it.store, { identifier });
      const machine = await aServiceAccount(it.store, { organization_id: acme.id });
      const named: [string, string, string][] = [
        ["users/by-email", ada.email.toUpperCase(), `users/${ada.id}`],
        ["organizations/by-slug", "acme", `organizations/${acme.id}`],
        ["apps/by-client-id", app.client_id, `apps/${app.id}`],
        ["resources/by-identifier", identifier, `resources/${api.id}`],
        ["service-accounts/by-email", machine.email, `service-accounts/${machine.id}`],
      ];
      for (const [path, name, byId] of named) {
        for (const key of [it.key, memberKey]) {
          const expected = await get(`/${byId}`, key);
          const answer = await get(`/${path}/${encodeURIComponent(name)}`, key);
          assert.equal(answer.statusCode, expected.statusCode, `${path} ${name}`);
          if (expected.statusCode === 200) {
            assert.deepEqual(answer.json(), expected.json());
            assert.equal(answer.headers.etag, expected.headers.etag);
            const known = { "if-none-match": String(expected.headers.etag) };
            assert.equal((await get(`/${path}/${encodeURIComponent(name)}`, key, known)).statusCode, 304);
          } else {
            // A caller without access gets the same answer for existing and missing records, except for the
            // requested name.
            const absent = await get(`/${path}/${encodeURIComponent(`x${name}`)}`, key);
            const reported = ({ detail, request_id: _, ...rest }: View) => [
              String(detail).replace(/x?\S+$/, ""),
              rest,
            ];
            assert.deepEqual(reported(absent.json()), reported(answer.json()));
          }
        }
      }
    });

    test("H-30: a name in the path is one segment, decoded once; any other is 404, or 400 if it cannot be decoded", async () => {
      await anApp(it.store, { client_id: "a/b" });
      await anApp(it.store, { client_id: "a%2Fb" });
      const id = async (segment: string) => {
        const answer = await get(`/apps/by-client-id/${segment}`);
        return answer.statusCode === 200 ? answer.json().client_id : answer.statusCode;
      };
      assert.deepEqual(
        await Promise.all(
          ["a%2Fb", "a%2fb", "a%252Fb", "a/b", "", "%00", "%ff", "%zz", "%ud800", "a%2Fb/"].map(id),
        ),
        ["a/b", "a/b", "a%2Fb", 404, 404, 404, 400, 400, 400, 404],
      );
      assert.equal(await id("a".repeat(3000)), 404);
      for (const position of ["x", "-1", "1.5", "1e3", "9".repeat(15), "9".repeat(30)])
        assert.equal((await get(`/events/by-position/${position}`)).statusCode, 404, position);
    });

    test("H-30: a list under a record equals the filtered list, for callers who may read the record", async () => {
      const app = await anApp(it.store, { owner_id: ada.id });
      const secret = await aSecret(it.store, { app_id: app.id });
      await aSecret(it.store);
      await aSession(it.store, { user_id: ada.id });
      const secrets = (await get(`/apps/${app.id}/secrets`)).json();
      assert.deepEqual(
        secrets.data.map(({ id }: View) => id),
        [secret.id],
      );
      assert.deepEqual(secrets.data, (await get(`/app-secrets?app_id=${app.id}`)).json().data);
      assert.equal((await get(`/users/${ada.id}/sessions`)).json().data.length, 1);
      // Filters and pages of the list work as usual, but the filter in the path cannot be repeated.
      const revoked = await get(`/apps/${app.id}/secrets?revoked=true`);
      assert.deepEqual(revoked.json(), { data: [], next_cursor: null, previous_cursor: null });
      assert.equal((await get(`/apps/${app.id}/secrets?app_id=${app.id}`)).json().code, "invalid_filter");
      await aSecret(it.store, { app_id: app.id });
      const first = (await get(`/apps/${app.id}/secrets?limit=1`)).json();
      const second = (await get(`/apps/${app.id}/secrets?limit=1&cursor=${first.next_cursor}`)).json();
      assert.notEqual(first.data[0].id, second.data[0].id);
      const members = await get(`/organizations/${acme.id}/members`, memberKey);
      assert.equal(members.json().data.length, 1);
      for (const url of [
        `/apps/${app.id}/secrets`,
        `/users/${ada.id}/sessions`,
        `/apps/${acme.id}/secrets`,
      ]) {
        const answer = await get(url, memberKey);
        assert.deepEqual([answer.statusCode, answer.json().code], [404, "not_found"], url);
      }
    });

    test("H-31: include adds the referenced records, if the caller may read them", async () => {
      const app = await anApp(it.store, { owner_id: ada.id, organization_id: acme.id });
      const token = await aToken(it.store, { app_id: app.id, user_id: ada.id });
      const one = (await get(`/apps/${app.id}?include=owner,organization`)).json() as View;
      assert.deepEqual(one.included?.owner, (await get(`/users/${ada.id}`)).json());
      assert.equal(one.included?.organization?.slug, "acme");
      const nested = (await get(`/tokens/${token.id}?include=app.owner,service_account`)).json() as View;
      assert.equal(nested.included?.app?.included?.owner?.id, ada.id);
      assert.equal(nested.included?.service_account, null);
      assert.equal(nested.included?.app?.included?.organization, undefined);
      const lists = [`/tokens?app_id=${app.id}&include=app`, `/apps/${app.id}/tokens?include=app,app`];
      for (const url of lists) {
        const [first] = (await get(url)).json().data as View[];
        assert.equal(first?.included?.app?.client_id, app.client_id, url);
        assert.equal("jwks" in (first?.included?.app ?? {}), false);
      }
      // A member sees the app and the organization, but no user.
      const seen = (await get(`/apps/${app.id}?include=owner,organization`, memberKey)).json() as View;
      assert.equal(seen.included?.owner, null);
      assert.equal(seen.included?.organization?.id, acme.id);
      const { key } = await anApiKeyText(it, { user_id: it.administrator.id, scopes: ["postern:apps:read"] });
      assert.deepEqual((await get(`/apps/${app.id}?include=owner,organization`, key)).json().included, {
        owner: null,
        organization: null,
      });
      const named = `/apps/by-client-id/${app.client_id}?include=owner`;
      assert.equal((await get(named)).json().included.owner.id, ada.id);
      // Included records may change while the record does not, so there is no 304.
      const { etag } = (await get(named)).headers;
      assert.equal(etag, (await get(`/apps/${app.id}`)).headers.etag);
      assert.equal((await get(named, it.key, { "if-none-match": String(etag) })).statusCode, 200);
    });

    test("P-2, H-31: include adds a member's roles, factors and last sign-in for administrators of the organization", async () => {
      const { store } = it;
      const { id: organization_id } = await anOrganization(store);
      const administrator = await aUser(store);
      await aMembership(store, { user_id: administrator.id, organization_id, role: "admin" });
      const { key } = await anApiKeyText(it, { user_id: administrator.id, scopes: ["postern:manage"] });
      const editor = await aRole(store, { organization_id, name: "editor" });
      const foreign = await aRole(store, { organization_id: acme.id, name: "foreign" });
      const { id: resource_id } = await aResource(store, { identifier: "https://shop.example" });
      const clerk = await anAppRole(store, { resource_id, name: "clerk" });
      const eve = await aUser(store, { last_login_at: new Date("2026-01-02T03:04:05Z") });
      await insertAny(store, "totp_authenticators", { users: eve.id });
      for (const signs_in of [false, true])
        await insertAny(store, "passkeys", { users: eve.id }, { signs_in, uv_initialized: true });
      const roles = { role_ids: [editor.id, foreign.id], app_role_ids: [clerk.id] };
      const theirs = await aMembership(store, { user_id: eve.id, organization_id, role: "member", ...roles });
      const seller = await aRole(store, { organization_id, name: "seller" });
      const packer = await anAppRole(store, { resource_id, name: "packer" });
      for (const role_ids of [
        [seller.id, foreign.id],
        [editor.id, seller.id],
      ]) {
        const group = await aGroup(store, { organization_id, role_ids, app_role_ids: [packer.id] });
        await aGroupMember(store, theirs, group);
      }
      await aMembership(store, { user_id: eve.id, organization_id: acme.id, role: "member" });
      const list = `/memberships?organization_id=${organization_id}&include=factors,last_login_at,role_names,group_role_names,user`;
      const page = (await get(`${list}&role=member&limit=1`, key)).json();
      assert.deepEqual(
        page.data.map(({ id }: View) => id),
        [theirs.id],
      );
      const { user, ...included } = page.data[0].included;
      assert.deepEqual(included, {
        factors: ["passkey", "security_key", "totp"],
        last_login_at: "2026-01-02T03:04:05.000Z",
        role_names: [
          ...["member", "editor", "https://shop.example#clerk"],
          ...["seller", "https://shop.example#packer"],
        ],
        group_role_names: ["seller", "https://shop.example#packer"],
      });
      assert.equal(user.email, eve.email);
      const none = (await get(`${list}&role=admin`, key)).json().data[0];
      assert.deepEqual(none.included.factors, []);
      // The caller gets no membership of another organization, and details of users only with the scope for
      // users.
      const foreigners = (await get(list.replace(organization_id, acme.id), key)).json();
      assert.deepEqual(foreigners.data, []);
      const scopes = ["postern:memberships:read"];
      const { key: narrow } = await anApiKeyText(it, { user_id: administrator.id, scopes });
      const unseen = (await get(`${list}&role=member`, narrow)).json().data[0].included;
      assert.deepEqual([unseen.factors, unseen.last_login_at, unseen.user], [null, null, null]);
      // Without the permission to read groups, roles that come from groups are omitted.
      assert.deepEqual(unseen.group_role_names, []);
      assert.deepEqual(unseen.role_names, ["member", "editor", "https://shop.example#clerk"]);
      // An ordinary member sees only their own details.
      const seen = (await get("/memberships?include=factors", memberKey)).json().data as View[];
      assert.deepEqual(
        new Set(seen.map(({ included: factors }) => JSON.stringify(factors))),
        new Set(['{"factors":[]}', '{"factors":null}']),
      );
    });

    test("a page that would repeat a large record too often is refused, and the error suggests a limit", async () => {
      const { id: organization_id } = await anOrganization(it.store, {
        settings: { text: "x".repeat(60_000) },
      });
      for (let count = 0; count < 50; count++) await anApp(it.store, { organization_id });
      const list = (limit: number) =>
        get(`/apps?organization_id=${organization_id}&include=organization&limit=${limit}`);
      const refused = await list(50);
      assert.deepEqual([refused.statusCode, refused.json().code], [400, "invalid_page"]);
      const { max } = refused.json().errors[0].params;
      const page = (await list(max)).json();
      assert.equal(page.data.length, max);
      assert.equal(page.data[0].included.organization.id, organization_id);
    });

    test("an unknown value of include is refused, and the error lists the possible ones", async () => {
      for (const include of [
        ...["nothing", "", "owner,", "owner.organization", "app.owner.organization", "owner_id"],
      ]) {
        const answer = await get(`/apps?include=${include}`);
        assert.equal(answer.json().code, "invalid_filter", include);
        assert.deepEqual(answer.json().errors[0].params.values, ["owner", "organization"]);
      }
      assert.equal((await get(`/users/${ada.id}?include=owner`)).json().errors[0].code, "unknown_parameter");
      assert.equal((await get(`/users/${ada.id}?nothing=1`)).json().code, "invalid_filter");
    });
  });
