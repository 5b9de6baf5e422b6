/**
 * Acme with one record of each resource type, the users who see them in the console, and the forms of its
 * pages.
 */

import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import type { LightMyRequestResponse } from "fastify";
import { resources } from "../../src/admin/resources/resources.ts";
import type { OAuthApp, Organization, User } from "../../src/records/definition/definition.ts";
import type { ResourceType } from "../../src/records/definition/permissions.ts";
import {
  aPerson,
  hiddenField,
  signInAs,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "./app.ts";
import {
  aCode,
  aConsent,
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
  later,
} from "./builders.ts";

/** A viewer of everything, a viewer of Acme, and one who sees only their own records. */
export const viewers = ["platform administrator", "organization admin", "stranger"] as const;
export type ViewerName = (typeof viewers)[number];

export interface ConsoleFixture extends TestApp {
  readonly acme: Organization;
  readonly orders: OAuthApp;
  readonly people: Readonly<Record<ViewerName, User>>;
  readonly browsers: Readonly<Record<ViewerName, TestBrowser>>;
  /** A record of each resource type that belongs to Acme, or to one of its members. */
  readonly ids: Readonly<Record<Exclude<ResourceType, "signing_keys">, string>>;
  /** Texts that no page may contain: every secret of these records. */
  readonly secrets: readonly string[];
}

/** Resource types whose records the console shows. */
export const shown = resources.filter(({ resourceType }) => resourceType !== "signing_keys");

export async function consoleFixture(): Promise<ConsoleFixture> {
  const it = await testApp({ throttle: false, settings: { extra_features: ["events"] } });
  const { store } = it;
  const [root, admin, stranger, member] = [
    await aPerson(it, { name: "Root", is_platform_admin: true }),
    await aPerson(it, { name: "Adela" }),
    await aPerson(it, { name: "Stranger" }),
    await aPerson(it, { name: "Mina", email: "mina@example.com" }),
  ];
  const acme = await anOrganization(store, { name: "Acme", slug: "acme" });
  const organization_id = acme.id;
  await aMembership(store, { user_id: root.id, organization_id, role: "owner" });
  await aMembership(store, { user_id: admin.id, organization_id, role: "admin" });
  const membership = await aMembership(store, { user_id: member.id, organization_id });
  const user_id = member.id;
  const orders = await anApp(store, {
    name: "Orders",
    client_id: "orders",
    organization_id,
    owner_id: admin.id,
    allowed_scopes: ["openid", "profile", "orders:read"],
  });
  const app_id = orders.id;
  const account = await aServiceAccount(store, {
    organization_id,
    created_by: admin.id,
    email: "ci@acme.example",
  });
  const [key, code, token] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const secret_hash = `$argon2id$${randomUUID()}`;
  const access_token = `sealed ${randomUUID()}`;
  const expires_at = later(86_400);
  const api = await aResource(store, { organization_id, identifier: "https://api.acme.example" });
  const group = await aGroup(store, { organization_id, display_name: "Sales" });
  const ids = {
    users: member.id,
    organizations: acme.id,
    memberships: membership.id,
    roles: (await aRole(store, { organization_id, name: "Auditor" })).id,
    groups: group.id,
    group_members: (await aGroupMember(store, membership, group)).id,
    app_roles: (await anAppRole(store, { resource_id: api.id, name: "Clerk" })).id,
    providers: (await aProvider(store, { organization_id, label: "Acme staff" })).id,
    linked_accounts: (await anOAuthAccount(store, { user_id, access_token })).id,
    api_keys: (await anApiKey(store, { user_id: null, organization_id, key_hash: key, name: "Deploy" })).id,
    apps: orders.id,
    app_secrets: (await aSecret(store, { app_id, secret_hash })).id,
    tokens: (
      await aToken(store, { app_id, user_id, access_token_signature: token, access_expires_at: expires_at })
    ).id,
    auth_codes: (await aCode(store, { app_id, user_id, code_signature: code, expires_at })).id,
    consents: (await aConsent(store, { app_id, user_id, scopes: ["openid", "profile"] })).id,
    sessions: (await aSession(store, { user_id })).id,
    resources: api.id,
    service_accounts: account.id,
    key_pairs: (await aKeyPair(store, { service_account_id: account.id })).id,
    audit_events: (await anEvent(store, { organization_id, target_table: "oauth_apps", target_id: app_id }))
      .id,
    refusals: (await aRefusal(store, { app_id })).id,
    webhook_endpoints: (await anEndpoint(store, { organization_id })).id,
    events: (await aFeedEvent(store, { organization_id })).id,
    attributes: (await anAttribute(store, { record_type: "memberships", organization_id, name: "desk" })).id,
    deliveries: (await aDelivery(store, { target_id: app_id, organization_id })).id,
  };
  const browsers = Object.fromEntries(
    await Promise.all(
      ([root, admin, stranger] as const).map(async (user, index) => {
        const browser = testBrowser(it.app);
        assert.equal((await signInAs(browser, user)).statusCode, 302);
        return [viewers[index], browser] as const;
      }),
    ),
  ) as Record<ViewerName, TestBrowser>;
  const people = { "platform administrator": root, "organization admin": admin, stranger };
  const secrets = [
    secret_hash,
    access_token,
    ...[key, code, token].flatMap((bytes) => [bytes.toString("base64url"), bytes.toString("hex")]),
    member.password_hash ?? "",
  ];
  return { ...it, acme, orders, people, browsers, ids, secrets };
}

/** A form of the page with the values that a browser would send without any input. */
export interface ReadForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
}

const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

/** Returns the form on a page of the console that changes something. Throws if there is none. */
export function formOn({ body }: Pick<LightMyRequestResponse, "body">): ReadForm {
  const form = [...body.matchAll(/<form [^>]*method="post"[^>]*>[\s\S]*?<\/form>/g)]
    .map(([text]) => text)
    .find((text) => /^\/console\/(?!(?:view|organization)$)/.test(attribute(text, "action") ?? ""));
  if (form === undefined) throw new Error(`no form on the page: ${body}`);
  const fields: Record<string, string[]> = {};
  const add = (name: string | undefined, value: string) => {
    if (name !== undefined) fields[name] = [...(fields[name] ?? []), value];
  };
  for (const [tag] of form.matchAll(
    /<(?:input|textarea|select)\b[^>]*>(?:[^<]*<\/textarea>|(?:<option[\s\S]*?)?<\/select>)?/g,
  )) {
    const name = attribute(tag, "name");
    if (tag.startsWith("<textarea")) add(name, unescaped(/>\n?([^<]*)<\/textarea>$/.exec(tag)?.[1] ?? ""));
    else if (tag.startsWith("<select")) {
      const options = [...tag.matchAll(/<option [^>]*>/g)].map(([option]) => option);
      const chosen = options.find((option) => option.includes(" selected")) ?? options[0] ?? "";
      add(name, attribute(chosen, "value") ?? "");
    } else if (!/^(?:checkbox|radio)$/.test(attribute(tag, "type") ?? "")) {
      add(name, attribute(tag, "value") ?? "");
    } else if (tag.includes(" checked")) add(name, attribute(tag, "value") ?? "on");
  }
  return {
    action: attribute(form, "action") ?? "",
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, values]) => [
        name,
        values.length === 1 ? (values[0] ?? "") : values,
      ]),
    ),
  };
}

/** Opens a page, fills in its form and submits it; undefined leaves out a field. */
export async function fillIn(
  browser: TestBrowser,
  url: string,
  changes: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): Promise<LightMyRequestResponse> {
  const page = await browser.get(url);
  assert.equal(page.statusCode, 200, `${url} ${page.statusCode}`);
  const { action, fields } = formOn(page);
  return browser.post(action, { ...fields, ...changes });
}

/** Submits the form of a confirmation page, with the text that it requires. */
export async function confirmOn(
  browser: TestBrowser,
  url: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  const page = await browser.get(url);
  assert.equal(page.statusCode, 200, `${url} ${page.statusCode}`);
  const typed = /<label for="field-confirm">.*?<code>([^<]*)<\/code>/.exec(page.body)?.[1];
  const { action, fields } = formOn(page);
  return browser.post(action, {
    ...fields,
    ...(typed !== undefined && { confirm: unescaped(typed) }),
    ...changes,
  });
}

/** Chooses the organization to which lists are narrowed; an empty text means all of them. */
export async function workIn(browser: TestBrowser, organization: string): Promise<LightMyRequestResponse> {
  const csrf_token = hiddenField(await browser.get("/console/organization"), "csrf_token");
  return browser.post("/console/organization", { csrf_token, organization });
}
