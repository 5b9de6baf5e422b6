/**
 * The targets with their owners: at least one record of each kind. A target can be created again, to be
 * changed or ended.
 */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { resources } from "../../src/admin/resources/resources.ts";
import type { OAuthApp, TableName } from "../../src/records/definition/definition.ts";
import { bearer } from "../http/api/server.ts";
import {
  aCode,
  aConsent,
  accessOnly,
  aDelivery,
  aFeedEvent,
  aGroup,
  aGroupMember,
  aKeyPair,
  aMembership,
  anApiKey,
  anApp,
  anAppRole,
  anAttribute,
  anEndpoint,
  anEvent,
  anOAuthAccount,
  anOrganization,
  aProvider,
  aRefusal,
  aResource,
  aRole,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  later,
  signingKeyOf,
} from "../support/builders.ts";
import type { AttackFixture } from "./attack_fixture.ts";
import type { Facts, Target } from "./attacks.ts";
import { type Caller, everyWord, type Place, permissionsOf } from "./permission_model.ts";

export interface MadeTarget extends Target {
  readonly table: TableName;
  readonly path: string;
  /** Creates another record of the same kind. */
  make(): Promise<{ readonly id: string }>;
  /** The existing record that is attacked as long as no actor may change it. */
  readonly id?: string;
  /**
   * Whether this caller has the same permissions on a newly created record. If not, changes that would
   * succeed are not tried.
   */
  isLike?(caller: Caller): boolean;
}

const paths = new Map<string, (typeof resources)[number]>(
  resources.map((resource) => [resource.resourceType, resource]),
);

export const pathOf = (resourceType: string): string => paths.get(resourceType)?.path ?? "";

const public_key_pem = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();

export async function attackTargets(fixture: AttackFixture): Promise<MadeTarget[]> {
  const { it, people, organizations } = fixture;
  const { store } = it;
  const personId = (name: string) => people[name]?.id ?? "";
  const organizationId = (name: string) => organizations[name]?.id ?? "";
  const targets: MadeTarget[] = [];
  const add = (
    resourceType: string,
    name: string,
    place: Place,
    make: MadeTarget["make"],
    facts: Facts = {},
    more: Pick<MadeTarget, "id" | "isLike"> = {},
  ) => {
    const { table, path } = paths.get(resourceType) ?? { table: "users", path: "users" };
    targets.push({ resourceType, name, place, facts, table, path, make, ...more });
  };
  const of = (...names: string[]): Place => ({ organizations: names });
  const ofUser = (user: string, ...names: string[]): Place => ({ organizations: names, user });

  for (const name of ["acme owner", "acme member", "rival developer", "outsider"]) {
    const role = fixture.roles[name] ?? {};
    const make = async () => {
      const user = await aUser(store, { name: "Clone" });
      for (const [organization, each] of Object.entries(role))
        await aMembership(store, {
          user_id: user.id,
          organization_id: organizationId(organization),
          role: each,
        });
      return user;
    };
    // A clone of a user has the same memberships but is a different person. Changes that only the user
    // themselves may make are therefore tried only if they must fail.
    add(
      "users",
      name,
      ofUser(name, ...Object.keys(role)),
      make,
      { person: name },
      { id: personId(name), isLike: () => false },
    );
    add("users", `like ${name}`, of(...Object.keys(role)), make);
  }
  add(
    "users",
    "root",
    ofUser("root"),
    () => aUser(store),
    { person: "root" },
    { id: personId("root"), isLike: () => false },
  );
  for (const name of ["acme"]) {
    const make = async () => {
      const organization = await anOrganization(store, { name: "Clone" });
      // Users have the same roles in the clone.
      for (const [who, roles] of Object.entries(fixture.roles)) {
        const role = roles[name];
        if (role !== undefined)
          await aMembership(store, { user_id: personId(who), organization_id: organization.id, role });
      }
      return organization;
    };
    const isOfPeople = { isLike: ({ user, platform }: Caller) => platform || user !== undefined };
    add(
      "organizations",
      name,
      of(name),
      make,
      { organization: name },
      { id: organizationId(name), ...isOfPeople },
    );
    for (const role of ["owner", "admin", "member", "auditor"]) {
      const membership = async (user_id: string) =>
        aMembership(store, { user_id, organization_id: organizationId(name), role });
      const facts = { organization: name, role };
      add(
        "memberships",
        `of another ${role} of ${name}`,
        of(name),
        async () => membership((await aUser(store)).id),
        facts,
      );
    }
    add("service_accounts", `of ${name}`, of(name), () => anAccount(name), { organization: name });
    const pair = async (allowed_scopes: string[]) =>
      aKeyPair(store, {
        service_account_id: (await anAccount(name, allowed_scopes)).id,
        key_type: "ec",
        algorithm: "ES256",
        public_key_pem,
      });
    add("key_pairs", `of ${name}`, of(name), () => pair(["orders:read"]), { organization: name });
    for (const scopes of [[], ["postern:apps:write"], ["postern:manage"], ["token:introspect"]]) {
      const make = () => anApiKey(store, { organization_id: organizationId(name), scopes });
      const permissions = permissionsOf({ [name]: "admin" }, "machine");
      add("api_keys", `of ${name} with ${scopes}`, of(name), make, {
        organization: name,
        scopes,
        permissions,
      });
    }
    const owner_id = personId(`${name} owner`);
    const organization_id = organizationId(name);
    add("resources", `of ${name}`, of(name), () => aResource(store, { organization_id }), {
      organization: name,
    });
    add("roles", `of ${name}`, of(name), () => aRole(store, { organization_id }));
    add("groups", `of ${name}`, of(name), () => aGroup(store, { organization_id }));
    const api = await aResource(store, { organization_id });
    add("app_roles", `of ${name}'s API`, of(name), () => anAppRole(store, { resource_id: api.id }));
    const inGroup = async () => {
      const user_id = (await aUser(store)).id;
      return aGroupMember(store, await aMembership(store, { user_id, organization_id }));
    };
    add("group_members", `of ${name}`, of(name), inGroup);
    add("providers", `of ${name}`, of(name), () => aProvider(store, { organization_id }), {
      organization: name,
    });
    const offProvider = async () => switchedOff("providers", await aProvider(store, { organization_id }));
    add("providers", `switched off, of ${name}`, of(name), offProvider, { organization: name, off: true });
    const offApp = async () => switchedOff("apps", await anApp(store, { owner_id, organization_id }));
    add("apps", `switched off, of ${name}`, of(name), offApp, {
      organization: name,
      scopes: [],
      auth_code: true,
      off: true,
    });
    const offAccount = async () => switchedOff("service-accounts", await anAccount(name));
    add("service_accounts", `switched off, of ${name}`, of(name), offAccount, {
      organization: name,
      off: true,
    });
    const apps: Readonly<Record<string, Partial<OAuthApp>>> = {
      plain: {},
      "first-party": { first_party: true },
      managing: { allowed_scopes: ["openid", "postern:apps:write"] },
      receiving: { allowed_scopes: ["ssf.manage"], allowed_grants: ["client_credentials"] },
      "managing machine": { allowed_scopes: ["postern:apps:write"], allowed_grants: ["client_credentials"] },
    };
    for (const [kind, input] of Object.entries(apps)) {
      const make = () => anApp(store, { owner_id, organization_id, ...input });
      const facts: Facts = {
        organization: name,
        scopes: input.allowed_scopes ?? [],
        first_party: input.first_party ?? false,
        auth_code: input.allowed_grants === undefined,
      };
      add("apps", `${kind} of ${name}`, of(name), make, facts);
      const secret = async () => aSecret(store, { app_id: (await make()).id, expires_at: later(3600) });
      add("app_secrets", `of a ${kind} app of ${name}`, of(name), secret, facts);
    }
    const app = await anApp(store, { owner_id, organization_id });
    add("tokens", `of a machine of ${name}`, of(name), () =>
      aToken(store, { ...accessOnly, app_id: app.id, user_id: null }),
    );
    add("audit_events", `of ${name}`, of(name), () => anEvent(store, { organization_id }));
    add("events", `of ${name}`, of(name), () => aFeedEvent(store, { organization_id }));
    add("webhook_endpoints", `of ${name}`, of(name), () => anEndpoint(store, { organization_id }));
    add(
      "webhook_endpoints",
      `inside, of ${name}`,
      of(name),
      () => anEndpoint(store, { organization_id, internal: true }),
      { internal: true },
    );
    add("attributes", `of ${name}`, of(name), () =>
      anAttribute(store, { record_type: "memberships", organization_id }),
    );
    add("deliveries", `to ${name}'s`, of(name), () => aDelivery(store, { organization_id }));
    add("refusals", `of ${name}`, of(name), () => aRefusal(store, { app_id: app.id }));
    for (const user of ["acme member", "outsider"]) {
      const both = { app_id: app.id, user_id: personId(user) };
      add("tokens", `of ${user} at ${name}'s`, ofUser(user, name), () => aToken(store, both));
      add("auth_codes", `of ${user} at ${name}'s`, ofUser(user, name), () => aCode(store, both));
      const consent = async () =>
        aConsent(store, {
          user_id: personId(user),
          app_id: (await anApp(store, { owner_id, organization_id })).id,
          scopes: ["openid", "profile"],
        });
      add("consents", `of ${user} at ${name}'s`, ofUser(user, name), consent);
    }
  }
  async function anAccount(name: string, allowed_scopes: string[] = ["orders:read"]) {
    const created_by = personId(`${name} owner`);
    return aServiceAccount(store, { organization_id: organizationId(name), created_by, allowed_scopes });
  }

  /** Returns the record after a platform administrator has deactivated it. */
  async function switchedOff(
    path: string,
    { id }: { readonly id: string },
  ): Promise<{ readonly id: string }> {
    const answer = await it.app.inject({
      method: "PATCH",
      url: `/api/v1/${path}/${id}`,
      headers: { ...bearer(it.key), "content-type": "application/json" },
      payload: JSON.stringify({ active: false }),
    });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return { id };
  }

  for (const user of ["acme member", "rival owner", "outsider", "root"]) {
    const user_id = personId(user);
    const permissions =
      user === "root" ? new Set(everyWord) : permissionsOf(fixture.roles[user] ?? {}, "person");
    add("linked_accounts", `of ${user}`, ofUser(user), () =>
      anOAuthAccount(store, { user_id, provider_user_id: randomUUID() }),
    );
    add("sessions", `of ${user}`, ofUser(user), () => aSession(store, { user_id }));
    for (const scopes of [[], ["postern:manage"]]) {
      const make = () => anApiKey(store, { user_id, scopes });
      add("api_keys", `of ${user} with ${scopes}`, ofUser(user), make, { person: user, scopes, permissions });
    }
    add("audit_events", `by ${user}`, ofUser(user), () =>
      anEvent(store, { actor_kind: "user", actor_id: user_id }),
    );
    const own = await anApp(store, { owner_id: user_id });
    add("refusals", `of ${user}'s own app`, ofUser(user), () => aRefusal(store, { app_id: own.id }));
    add("apps", `${user}'s`, ofUser(user), () => anApp(store, { owner_id: user_id }), {
      scopes: [],
      auth_code: true,
    });
    const secret = async () =>
      aSecret(store, { app_id: (await anApp(store, { owner_id: user_id })).id, expires_at: later(3600) });
    add("app_secrets", `of ${user}'s own app`, ofUser(user), secret, { scopes: [], auth_code: true });
  }
  const noOwner: Place = { organizations: [] };
  add("resources", "of the server", noOwner, () => aResource(store));
  add("roles", "of the server", noOwner, () => aRole(store));
  add("app_roles", "of the server's API", noOwner, () => anAppRole(store));
  add("providers", "of the server", noOwner, () => aProvider(store));
  add("signing_keys", "the server's", noOwner, async () => {
    const row = signingKeyOf();
    await store.insert("signing_keys", row);
    return row;
  });
  add("audit_events", "of the server", noOwner, () => anEvent(store, {}));
  add("events", "of the server", noOwner, () => aFeedEvent(store));
  add("webhook_endpoints", "of the server", noOwner, () => anEndpoint(store));
  add("attributes", "of the server", noOwner, () => anAttribute(store));
  add("deliveries", "to the server's", noOwner, () => aDelivery(store));
  add("refusals", "of noOwner", noOwner, () => aRefusal(store));
  return targets;
}
