/**
 * Every actor tries every operation on own and foreign records, over HTTP; docs/permissions.md defines the
 * results.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { bulkActsOf } from "../../src/admin/manage/bulk.ts";
import { hasEnding } from "../../src/admin/manage/resource.ts";
import { nestedListsOf } from "../../src/admin/resources/nested_lists.ts";
import { resourceOf, resources } from "../../src/admin/resources/resources.ts";
import { openApiDocument } from "../../src/api/openapi.ts";
import { namedPathOf } from "../../src/api/reading_routes.ts";
import type { TableName } from "../../src/records/definition/definition.ts";
import type { ResourceType } from "../../src/records/definition/permissions.ts";
import { operationsOf } from "../http/document_requests.ts";
import { insertAny } from "../storage/any_row.ts";
import { issuer } from "../support/authorization_server.ts";
import {
  aDelivery,
  aGroup,
  aMembership,
  anApp,
  anEndpoint,
  aResource,
  aServiceAccount,
  aUser,
  sealSecrets,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { inForm } from "../support/form.ts";
import { words } from "../support/lists.ts";
import { type Attacker, type AttackFixture, attackers, attackFixture, word } from "./attack_fixture.ts";
import { attackTargets, type MadeTarget, pathOf } from "./attack_targets.ts";
import { type Attack, attacks } from "./attacks.ts";
import { bodyOf, creations } from "./creations.ts";
import { allFamilies, type Fate, holds, isUnlimited, lets, refusal } from "./permission_model.ts";

const fates: Readonly<Record<number, Fate>> = {
  401: "unknown",
  403: "forbidden",
  404: "missing",
  422: "invalid",
};

interface Shared extends MadeTarget {
  readonly id: string;
}

for (const database of databasesInForm)
  describe(`every kind of caller tries every operation on ${database.name}`, () => {
    let fixture: AttackFixture;
    let everybody: Attacker[];
    let targets: Shared[];

    before(async () => {
      fixture = await attackFixture(database);
      everybody = await attackers(fixture, { turn: database.name === "SQLite" ? 0 : 1 });
      targets = [];
      for (const made of await attackTargets(fixture)) {
        const id = made.id ?? (await made.make()).id;
        targets.push({ ...made, id });
      }
      // Assigns the positions by which events are read.
      await fixture.it.store.numberEvents();
    });

    /** The short form tries every eleventh cell. */
    const everyNth = inForm(11, 1);
    /**
     * Two tests that have further steps try every eleventh cell in the short form, and every second one in the
     * long form.
     */
    const everyLongNth = inForm(11, 2);
    function oneOfSome(): () => boolean {
      let cell = 0;
      return () => {
        cell += 1;
        return cell % everyNth === 0;
      };
    }

    async function ask(attacker: Attacker, method: string, url: string, body?: unknown) {
      const answer = await fixture.it.app.inject({
        method: method as "GET",
        url: `/api/v1/${url}`,
        headers: { ...attacker.headers, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      const { statusCode } = answer;
      const fate = statusCode < 300 ? "done" : (fates[statusCode] ?? `${statusCode} ${answer.body}`);
      return { fate, answer };
    }

    test("H-20: lists and single records show a caller only what the caller may read", async () => {
      const wrong: string[] = [];
      const isTried = oneOfSome();
      for (const attacker of everybody) {
        const { caller } = attacker;
        for (const resourceType of allFamilies) {
          const read = `${resourceType}:read`;
          const expected = targets.filter(
            (each) => each.resourceType === resourceType && holds(caller, read, each.place),
          );
          const listed = new Set<string>();
          let refused: string | undefined;
          for (let query = "?limit=200"; query !== ""; ) {
            const { fate, answer } = await ask(attacker, "GET", `${pathOf(resourceType)}${query}`);
            if (fate !== "done") {
              refused = fate;
              break;
            }
            const page = answer.json() as { data: { id: string }[]; next_cursor: string | null };
            for (const { id } of page.data) listed.add(id);
            query = page.next_cursor === null ? "" : `?limit=200&cursor=${page.next_cursor}`;
          }
          const isRefused = !lets(caller, read) || (resourceType === "signing_keys" && !caller.platform);
          if (refused !== (isRefused ? "forbidden" : undefined))
            wrong.push(`${caller.name} lists ${resourceType}: ${refused}`);
          for (const { id, name } of targets.filter((each) => each.resourceType === resourceType)) {
            const isThere = !isRefused && expected.some((each) => each.id === id);
            if (listed.has(id) !== isThere)
              wrong.push(`${caller.name} lists ${resourceType} ${name}: ${listed.has(id)}`);
          }
        }
        for (const target of targets.filter(isTried)) {
          const read = `${target.resourceType}:read`;
          const isTheirs = holds(caller, read, target.place);
          const expected = isTheirs ? "done" : refusal(caller, target.resourceType, read, target.place);
          const { fate } = await ask(attacker, "GET", `${target.path}/${target.id}`);
          if (fate !== expected)
            wrong.push(
              `${caller.name} reads ${target.resourceType} ${target.name}: ${fate}, not ${expected}`,
            );
        }
      }
      assert.deepEqual(wrong, []);
    });

    test("H-20: an unreadable record and one that never existed get the same answer", async () => {
      const wrong: string[] = [];
      const isTried = oneOfSome();
      for (const attacker of everybody)
        for (const target of targets.filter(
          (each, index) =>
            targets.findIndex(
              ({ resourceType, place }) =>
                resourceType === each.resourceType && place.organizations[0] === each.place.organizations[0],
            ) === index,
        )) {
          const { resourceType, path, place, id } = target;
          const { caller } = attacker;
          if (holds(caller, `${resourceType}:read`, place) || holds(caller, `${resourceType}:write`, place))
            continue;
          if (!isTried()) continue;
          for (const [method, rest] of [
            ["GET", ""],
            ["PATCH", ""],
            ["DELETE", ""],
            ["POST", "/revoke"],
          ] as const) {
            const reported = async (of: string) => {
              const { answer } = await ask(
                attacker,
                method,
                `${path}/${of}${rest}`,
                method === "GET" ? undefined : {},
              );
              const { request_id: _, ...problem } = answer.json() as Record<string, unknown>;
              return [answer.statusCode, JSON.stringify(problem).replaceAll(of, "ID")];
            };
            const [foreign, none] = [await reported(id), await reported(randomUUID())];
            if (foreign.join() !== none.join())
              wrong.push(
                `${attacker.caller.name} ${method} ${resourceType} ${target.name}: ${foreign} but ${none}`,
              );
          }
        }
      assert.deepEqual(wrong, []);
    });

    /** The expected result of an attack; undefined if something other than permissions decides. */
    function expectedOf({ caller }: Attacker, target: Shared, attack: Attack): Fate | undefined {
      const { resourceType, place } = target;
      const write = `${resourceType}:write`;
      if (!holds(caller, write, place)) return refusal(caller, resourceType, write, place);
      if (attack.skip?.(caller, target) === true) return undefined;
      return attack.allowed(caller, target) ? "done" : (attack.otherwise ?? "forbidden");
    }

    test("H-20: every caller tries to change and to end their own and foreign records, and only permitted attempts succeed", async () => {
      const rows = async () =>
        JSON.stringify(
          await Promise.all(
            targets.map(({ table, id }) => fixture.it.store.find(table as TableName, { id } as never)),
          ),
        );
      const was = await rows();
      const wrong: string[] = [];
      const counts = { done: 0, refused: 0 };
      const isTried = oneOfSome();
      for (const attacker of everybody)
        for (const target of targets)
          for (const attack of attacks[target.resourceType] ?? []) {
            if (!isTried()) continue;
            const expected = expectedOf(attacker, target, attack);
            if (expected === undefined || (expected === "done" && target.isLike?.(attacker.caller) === false))
              continue;
            const { id } = expected === "done" ? await target.make() : target;
            const ids = {
              word: word(),
              root: fixture.people.root?.id ?? "",
              rival: fixture.organizations.rival?.id ?? "",
            };
            const url = `${target.path}/${id}${attack.method === "revoke" ? "/revoke" : ""}`;
            const method = attack.method === "revoke" ? "POST" : attack.method;
            const body = attack.method === "PATCH" ? attack.body?.(ids) : undefined;
            const { fate } = await ask(attacker, method, url, body);
            counts[fate === "done" ? "done" : "refused"] += 1;
            if (fate !== expected)
              wrong.push(
                `${attacker.caller.name}: ${attack.name} of ${target.resourceType} ${target.name}: ${fate}, not ${expected}`,
              );
          }
      assert.deepEqual(wrong, []);
      assert.ok(counts.done > 600 / everyNth && counts.refused > 3000 / everyNth, JSON.stringify(counts));
      assert.equal(await rows(), was, "something was changed by whom it was refused");
    });

    test("H-20: only callers who may change a record can see which other records would end with it", async () => {
      const wrong: string[] = [];
      const isTried = oneOfSome();
      for (const attacker of everybody)
        for (const { resourceType, path, id, name, place } of targets) {
          if (!hasEnding(resourceOf(resourceType as ResourceType)) || !isTried()) continue;
          const { caller } = attacker;
          const write = `${resourceType}:write`;
          const expected = holds(caller, write, place) ? "done" : refusal(caller, resourceType, write, place);
          const { fate } = await ask(attacker, "GET", `${path}/${id}/impact`);
          if (fate !== expected)
            wrong.push(`${caller.name}: ${resourceType} ${name}: ${fate}, not ${expected}`);
        }
      assert.deepEqual(wrong, []);
    });

    test("H-20: every caller tries to create every record, and only permitted attempts succeed", async () => {
      const { it, people, organizations } = fixture;
      const { store } = it;
      const of = { organization_id: organizations.acme?.id ?? "", owner_id: people["acme owner"]?.id ?? "" };
      const managing = { ...of, allowed_scopes: ["openid", "postern:users:write"] };
      const maker = { organization_id: of.organization_id, created_by: of.owner_id };
      const ids = {
        acme: of.organization_id,
        second: people["acme second owner"]?.id ?? "",
        account: (await aServiceAccount(store, maker)).id,
        group: (await aGroup(store, { organization_id: of.organization_id })).id,
        api: (await aResource(store, { organization_id: of.organization_id })).id,
        strong_account: (await aServiceAccount(store, { ...maker, allowed_scopes: ["postern:apps:write"] }))
          .id,
      };
      const wrong: string[] = [];
      const isTried = oneOfSome();
      // Removes the endpoints of earlier tests, because an owner has at most 20.
      for (const { id } of await store.list("webhook_endpoints", {}))
        await store.remove("webhook_endpoints", { id });
      for (const attacker of everybody)
        for (const creation of creations) {
          const { resourceType, name, expected } = creation;
          if (!isTried()) continue;
          const { caller } = attacker;
          // A machine has no own records.
          if (name.includes("one's own") && caller.user === undefined) continue;
          const fresh = {
            ...ids,
            word: word(),
            new_member:
              resourceType === "group_members"
                ? (await aMembership(store, { organization_id: of.organization_id })).user_id
                : "",
            own_name: `${of.organization_id}:${word()}`,
            self: people[caller.user ?? ""]?.id ?? "",
            owner: people[caller.user ?? ""]?.id ?? ids.second,
            owner_of_machines: caller.user === undefined ? ids.second : undefined,
            stranger: resourceType === "memberships" ? (await aUser(store)).email : "",
            new_app: ["consents", "app_secrets"].includes(resourceType) ? (await anApp(store, of)).id : "",
            new_receiver:
              resourceType === "app_secrets"
                ? (await anApp(store, { ...of, allowed_scopes: ["ssf.manage"] })).id
                : "",
            new_manager: ["consents", "app_secrets"].includes(resourceType)
              ? (await anApp(store, managing)).id
              : "",
            new_portal:
              resourceType === "app_secrets" ? (await anApp(store, { ...of, first_party: true })).id : "",
          };
          const { fate } = await ask(attacker, "POST", pathOf(resourceType), bodyOf(creation, fresh));
          if (resourceType === "webhook_endpoints")
            await store.remove("webhook_endpoints", { url: `https://${fresh.word}.example/in` });
          if (fate !== expected(caller))
            wrong.push(`${caller.name} makes ${name}: ${fate}, not ${expected(caller)}`);
        }
      assert.deepEqual(wrong, []);
    });

    test("H-20, PR-23: only platform administrators can turn a self-registered client into an app", async () => {
      const { store } = fixture.it;
      const owner_id = fixture.people.root?.id ?? "";
      const wrong: string[] = [];
      for (const attacker of everybody) {
        const { caller } = attacker;
        // A restricted credential of an administrator may lack a permission that the app would get.
        if (caller.platform && lets(caller, "apps:write") && !isUnlimited(caller)) continue;
        const client_id = `https://${word()}.example/client`;
        const { id } = await anApp(store, { client_id, owner_id, provenance: "metadata_document" });
        const isTheirs = caller.platform && isUnlimited(caller);
        const expected = isTheirs ? "done" : refusal(caller, "apps", "apps:write", { organizations: [] });
        const { fate } = await ask(attacker, "POST", `apps/${id}/register`, { name: "Ours", owner_id });
        if (fate !== expected) wrong.push(`${caller.name}: ${fate}, not ${expected}`);
        const row = await store.find("oauth_apps", { id });
        assert.equal(row?.provenance, fate === "done" ? "registered" : "metadata_document");
      }
      assert.deepEqual(wrong, []);
    });

    test("H-20, MF-10: without a session with a second factor, no caller can reset another user's factors", async () => {
      const { store } = fixture.it;
      const user = await aUser(store);
      const { id: factor_id } = await insertAny(store, "passkeys", { users: user.id });
      await insertAny(store, "totp_authenticators", { users: user.id });
      const done: string[] = [];
      for (const attacker of everybody) {
        const input = { reason: "Lost", factor_id };
        for (const [act, body] of [
          ["reset-factors", { reason: "Lost" }],
          ["remove-factor", input],
        ] as const) {
          const { fate } = await ask(attacker, "POST", `users/${user.id}/${act}`, body);
          if (fate === "done") done.push(`${attacker.caller.name} ${act}`);
        }
      }
      assert.deepEqual(done, []);
      assert.equal(await store.count("passkeys", { user_id: user.id }), 1);
    });

    test("H-20, EV-4: testing a webhook endpoint requires webhook_endpoints:write; a replay or a new secret also requires events:read", async () => {
      const wrong: string[] = [];
      const { organizations, it } = fixture;
      for (const [place, organization_id = null] of [
        [{ organizations: ["acme"] }, organizations.acme?.id],
        [{ organizations: [] }],
      ] as const) {
        const { id } = await anEndpoint(it.store, { organization_id });
        await sealSecrets(it, id);
        for (const attacker of everybody) {
          const { caller } = attacker;
          const word = "webhook_endpoints:write";
          const may = holds(caller, word, place)
            ? undefined
            : refusal(caller, "webhook_endpoints", word, place);
          for (const [verb, input, done] of [
            ["ping", {}, "done"],
            ["replay", { event_id: randomUUID() }, "invalid"],
            ["rotate-secret", {}, "done"],
          ] as const) {
            const { fate } = await ask(attacker, "POST", `webhook-endpoints/${id}/${verb}`, input);
            const isTold = verb === "ping" || holds(caller, "events:read", place);
            const expected = may ?? (isTold ? done : "forbidden");
            if (fate !== expected) wrong.push(`${caller.name} ${verb}: ${fate}, not ${expected}`);
          }
        }
      }
      assert.deepEqual(wrong, []);
    });

    test("H-20: only callers who may write logout notices and the app can resend a notice or send a test", async () => {
      const wrong: string[] = [];
      const { organizations, it, people } = fixture;
      const [organization_id = "", owner_id = ""] = [organizations.acme?.id, people.root?.id];
      const app = await anApp(it.store, { organization_id, owner_id });
      const of = { organizations: ["acme"] };
      for (const attacker of everybody) {
        const { caller } = attacker;
        const { id } = await aDelivery(it.store, { organization_id, state: "failed" });
        const again = await ask(attacker, "POST", `deliveries/${id}/retry`, {});
        const write = (word: string) => holds(caller, word, of);
        const mayRetry = write("deliveries:write")
          ? "done"
          : refusal(caller, "deliveries", "deliveries:write", of);
        if (again.fate !== mayRetry) wrong.push(`${caller.name} retries: ${again.fate}, not ${mayRetry}`);
        // The app has no logout URI, so a permitted test is refused as invalid.
        const { fate } = await ask(attacker, "POST", `apps/${app.id}/test-logout`, {});
        const mayTest = write("apps:write") ? "invalid" : refusal(caller, "apps", "apps:write", of);
        if (fate !== mayTest) wrong.push(`${caller.name} tests: ${fate}, not ${mayTest}`);
      }
      assert.deepEqual(wrong, []);
    });

    test("H-20: only callers who may read both the app and the user can preview the user's tokens", async () => {
      const wrong: string[] = [];
      const { organizations, it, people } = fixture;
      const [organization_id = "", owner_id = ""] = [organizations.acme?.id, people.root?.id];
      const app = await anApp(it.store, { organization_id, owner_id });
      const user = await aUser(it.store);
      await aMembership(it.store, { user_id: user.id, organization_id });
      for (const attacker of everybody) {
        const { caller } = attacker;
        const { fate } = await ask(attacker, "GET", `apps/${app.id}/token-preview?user=${user.id}`);
        const may = ["apps:read", "users:read"].every((word) =>
          holds(caller, word, { organizations: ["acme"] }),
        );
        if ((fate === "done") !== may) wrong.push(`${caller.name} previews: ${fate}`);
      }
      assert.deepEqual(wrong, []);
    });

    const reads = allFamilies.map((each) => `${each}:read`);
    const everythingOfAUser = words("users:write sessions:write tokens:write api_keys:write consents:write");
    for (const [title, method, path, needed] of [
      ["sessions of a user are ended", "POST", "sign-out", ["users:write", "sessions:write"]],
      ["all access of a user is ended", "POST", "revoke-everything", everythingOfAUser],
      ["what somebody signs in with is told", "GET", "sign-in-methods", ["users:read"]],
      ["data of a user are exported", "POST", "export-data", ["users:write", ...reads]],
    ] as const)
      test(`H-20: only platform administrators can ${title}, and only if their credential permits it`, async () => {
        const user = await aUser(fixture.it.store);
        const wrong: string[] = [];
        for (const attacker of everybody) {
          const { caller } = attacker;
          const may = caller.platform && needed.every((each) => lets(caller, each));
          const body = method === "POST" ? {} : undefined;
          const { fate } = await ask(attacker, method, `users/${user.id}/${path}`, body);
          if ((fate === "done") !== may) wrong.push(`${caller.name}: ${fate}`);
        }
        assert.deepEqual(wrong, []);
      });

    test("H-30: a caller gets the same records by name or under another record as by id or filter", async () => {
      const wrong: string[] = [];
      let cell = 0;
      for (const attacker of everybody) {
        for (const { resourceType, id } of targets) {
          cell += 1;
          // Covers every reader and every kind of record, but not every combination.
          if (cell % everyLongNth !== 0) continue;
          const resource = resourceOf(resourceType as ResourceType);
          const byId = await ask(attacker, "GET", `${resource.path}/${id}`);
          const named = namedPathOf(resource);
          if (named !== undefined) {
            const row = (await fixture.it.store.find(resource.table, { id })) as unknown as Record<
              string,
              string
            >;
            const name = encodeURIComponent(row[named.column] ?? "");
            const byName = await ask(attacker, "GET", `${named.path.replace("/api/v1/", "")}/${name}`);
            const same =
              byName.fate === byId.fate && (byId.fate !== "done" || byName.answer.body === byId.answer.body);
            if (!same) wrong.push(`${attacker.caller.name} ${named.path}: ${byName.fate}, ${byId.fate}`);
          }
          const [first] = nestedListsOf(resource).slice(cell % 3);
          if (first === undefined) continue;
          const { listed, by, name } = first;
          const under = await ask(attacker, "GET", `${resource.path}/${id}/${name}`);
          const filtered = await ask(attacker, "GET", `${listed.path}?${by.name}=${id}`);
          const expected = byId.fate === "done" ? filtered : byId;
          const dataOf = ({ fate, answer }: typeof under) => (fate === "done" ? answer.json().data : fate);
          if (!isDeepStrictEqual(dataOf(under), dataOf(expected)))
            wrong.push(`${attacker.caller.name} ${resource.path}/${name}: ${under.fate}, ${expected.fate}`);
        }
      }
      assert.deepEqual(wrong, []);
    });

    test("H-35: reading settings and counts, inviting and mailing password links each require their own permission", async () => {
      const wrong: string[] = [];
      const user = await aUser(fixture.it.store);
      const organization = targets.find(({ resourceType }) => resourceType === "organizations")?.id ?? "";
      for (const attacker of everybody) {
        const { caller } = attacker;
        const expect = async (url: string, may: boolean, method = "GET") => {
          const { fate, answer } = await ask(attacker, method, url);
          // Mail is off in this test, so permitted callers get the error `mail_off`.
          const done = fate === "done" || answer.json().code === "mail_off";
          if (done !== may) wrong.push(`${caller.name} ${method} ${url}: ${fate}`);
        };
        await expect("server", caller.platform && reads.every((each) => lets(caller, each)));
        await expect("export", caller.platform && reads.every((each) => lets(caller, each)));
        const { fate: applies } = await ask(attacker, "POST", "apply", { manifest: {}, dry_run: true });
        const mayApply = caller.platform && isUnlimited(caller);
        if ((applies === "done") !== mayApply) wrong.push(`${caller.name} applies: ${applies}`);
        const people = [{ external_id: "probe", email: "probe@example.com" }];
        const given = { source: "probe", people, dry_run: true };
        const { fate: imports } = await ask(attacker, "POST", "import/people", given);
        const mayImport = mayApply || (caller.platform && caller.scopes?.includes("postern:import") === true);
        if ((imports === "done") !== mayImport) wrong.push(`${caller.name} imports: ${imports}`);
        await expect(
          `users/${user.id}/send-password-reset`,
          caller.platform && lets(caller, "users:write"),
          "POST",
        );
        const unknown = { token: "none" };
        const { fate: inspects } = await ask(attacker, "POST", "introspect", unknown);
        if ((inspects === "done") !== lets(caller, "tokens:read")) wrong.push(`${caller.name} introspects`);
        const { fate: lists } = await ask(attacker, "GET", `organizations/${organization}/invitations`);
        const invitation = `organizations/${organization}/invitations/${randomUUID()}/revoke`;
        const { fate: revokes } = await ask(attacker, "POST", invitation);
        // A missing invitation is answered with 404 to callers with the permission, and to callers who cannot
        // see the organization.
        const sees = lets(caller, "memberships:read");
        if (lists === "done" ? revokes !== "missing" : sees && revokes !== lists)
          wrong.push(`${caller.name} ${lists} ${revokes}`);
        if (lists === "done" && !(sees && lets(caller, "memberships:write")))
          wrong.push(`${caller.name} lists invitations`);
        const { fate: counts } = await ask(attacker, "GET", `organizations/${organization}/statistics`);
        if (counts === "done" && !lets(caller, "tokens:read")) wrong.push(`${caller.name} reads statistics`);
      }
      assert.deepEqual(wrong, []);
    });

    test("H-32: a bulk request may change and revoke exactly what single requests may, checked for each item", async () => {
      const wrong: string[] = [];
      let cell = 0;
      const types = [...Map.groupBy(targets, ({ resourceType }) => resourceType)];
      for (const attacker of everybody) {
        for (const [resourceType, each] of types) {
          cell += 1;
          if (cell % everyLongNth !== 0) continue;
          const resource = resourceOf(resourceType as ResourceType);
          const acts = bulkActsOf(resource);
          // The operations change nothing and revoke no existing record, because later callers use the
          // records.
          const changes = acts.includes("update");
          if (!changes && !acts.includes("revoke")) continue;
          const ids = changes ? each.map(({ id }) => id) : [randomUUID(), randomUUID()];
          const operations = ids.map((id) =>
            changes ? { op: "update", id, data: {} } : { op: "revoke", id },
          );
          const { fate, answer } = await ask(attacker, "POST", `bulk/${resource.path}`, { operations });
          const alone = await Promise.all(
            ids.map((id) =>
              changes
                ? ask(attacker, "PATCH", `${resource.path}/${id}`, {})
                : ask(attacker, "POST", `${resource.path}/${id}/revoke`),
            ),
          );
          const reported =
            fate === "done" ? answer.json().results.map(({ status }: { status: number }) => status) : fate;
          const expected = alone.map(({ answer: { statusCode } }) => statusCode);
          const unknown = expected.every((status) => status === 401);
          if (!isDeepStrictEqual(reported, unknown ? "unknown" : expected))
            wrong.push(`${attacker.caller.name} ${resourceType}: ${reported} ${expected}`);
        }
      }
      assert.deepEqual(wrong, []);
    });

    test("H-20: an unknown caller learns nothing, and these tests tried every documented operation", async () => {
      const document = openApiDocument({ issuer, session_cookie: "session" });
      const operations = operationsOf(document);
      for (const { method, path } of operations) {
        const url = path.replace("/api/v1/", "").replace(/\{\w+\}/g, targets[0]?.id ?? "");
        for (const headers of [
          {},
          { authorization: "Bearer pak_none" },
          { cookie: "__Host-postern_session=none" },
        ]) {
          const { fate } = await ask({ headers } as Attacker, method, url, method === "GET" ? undefined : {});
          assert.equal(fate, "unknown", `${method} ${path}`);
        }
      }
      const resourceTypes = new Set(targets.map(({ resourceType }) => resourceType));
      assert.deepEqual(resourceTypes, new Set(allFamilies));
      const tried = new Set([
        "GET /api/v1/me",
        "GET /api/v1/audit-events/export",
        "GET /api/v1/server",
        "GET /api/v1/export",
        "POST /api/v1/apply",
        "POST /api/v1/import/people",
        "GET /api/v1/statistics",
        "POST /api/v1/introspect",
        "GET /api/v1/organizations/{id}/statistics",
        "GET /api/v1/organizations/{id}/invitations",
        "POST /api/v1/organizations/{id}/invitations",
        "POST /api/v1/organizations/{id}/invitations/{invitation_id}/revoke",
        "POST /api/v1/organizations/{id}/invitations/{invitation_id}/send-again",
        "POST /api/v1/users/{id}/send-password-reset",
        "POST /api/v1/users/{id}/export-data",
        "POST /api/v1/apps/{id}/register",
        "POST /api/v1/apps/{id}/test-logout",
        "GET /api/v1/apps/{id}/token-preview",
        "POST /api/v1/deliveries/{id}/retry",
        ...["ping", "replay", "rotate-secret"].map((verb) => `POST /api/v1/webhook-endpoints/{id}/${verb}`),
        "POST /api/v1/users/{id}/reset-factors",
        "POST /api/v1/users/{id}/remove-factor",
        "POST /api/v1/users/{id}/sign-out",
        "POST /api/v1/users/{id}/revoke-everything",
        "GET /api/v1/users/{id}/sign-in-methods",
        ...resources.flatMap((resource) => {
          const named = namedPathOf(resource);
          const nested = nestedListsOf(resource);
          return [
            ...(bulkActsOf(resource).length === 0 ? [] : [`POST /api/v1/bulk/${resource.path}`]),
            ...(named === undefined ? [] : [`GET ${named.path}/{${named.column}}`]),
            ...(hasEnding(resource) ? [`GET /api/v1/${resource.path}/{id}/impact`] : []),
            ...nested.map(({ name }) => `GET /api/v1/${resource.path}/{id}/${name}`),
          ];
        }),
        ...allFamilies.flatMap((resourceType) => [
          `GET /api/v1/${pathOf(resourceType)}`,
          `GET /api/v1/${pathOf(resourceType)}/{id}`,
        ]),
        ...creations.map(({ resourceType }) => `POST /api/v1/${pathOf(resourceType)}`),
        ...Object.entries(attacks).flatMap(([resourceType, each]) =>
          each.map(({ method }) =>
            method === "revoke"
              ? `POST /api/v1/${pathOf(resourceType)}/{id}/revoke`
              : `${method} /api/v1/${pathOf(resourceType)}/{id}`,
          ),
        ),
      ]);
      assert.deepEqual(tried, new Set(operations.map(({ method, path }) => `${method} ${path}`)));
    });

    test("H-20: the export of the audit log contains the same records as the list", async () => {
      for (const attacker of everybody) {
        const { caller } = attacker;
        const { fate, answer } = await ask(attacker, "GET", "audit-events/export");
        if (!lets(caller, "audit_events:read")) {
          assert.equal(fate, "forbidden", caller.name);
          continue;
        }
        const lines = answer.body.split("\n").filter((line) => line !== "");
        const exported = new Set(lines.map((line) => (JSON.parse(line) as { id: string }).id));
        for (const { id, name, place } of targets.filter(
          ({ resourceType }) => resourceType === "audit_events",
        ))
          assert.equal(
            exported.has(id),
            holds(caller, "audit_events:read", place),
            `${caller.name}: ${name}`,
          );
      }
    });
  });
