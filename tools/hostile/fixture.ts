/** An application with all features enabled, and the inputs that it reads from a request. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createOutbox } from "../../src/ops/mail.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { grantNames } from "../../src/records/names/names.ts";
import { hiddenField, type TestApp, testApp, testBrowser } from "../../test/support/app.ts";
import { anApp, anOpenClient, aResource } from "../../test/support/builders.ts";
import { authorizeParameters, codeParameters, type Parameters } from "../../test/support/flows.ts";
import { type Route, routesOf } from "../../test/support/routes.ts";
import { scriptedClient } from "../../test/support/scripted_providers.ts";

export interface HostileFixture extends TestApp {
  readonly client: OAuthApp;
  readonly routes: readonly Route[];
  /** Cookies of a browser that requested a form, and the CSRF token of its forms. */
  readonly cookie: string;
  readonly csrf_token: string;
  /** Names of the headers that the source code reads. */
  readonly headers: readonly string[];
}

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };

/** Headers that Node, the framework and its plugins read in addition. */
const readByOthers = [
  "connection",
  "cookie",
  "expect",
  "if-modified-since",
  "referer",
  "range",
  "tracestate",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "forwarded",
  "x-unknown",
];

/** Returns the names of the headers that appear in the source code that handles requests. */
function headersInSources(): string[] {
  const folder = join(import.meta.dirname, "..", "..", "src");
  const names = new Set<string>();
  for (const file of globSync("{http,people,api,console}/**/*.ts", { cwd: folder })) {
    const text = readFileSync(join(folder, file), "utf8");
    const reads = /\bheaders(?:\.(\w+)|\["([\w-]+)"\])|headerText\(\w+, "([\w-]+)"/g;
    for (const [, member, quoted, requested] of text.matchAll(reads))
      names.add(member ?? quoted ?? requested ?? "");
  }
  for (const name of ["ts", "browser", "program", "kept", ""]) names.delete(name);
  return [...names];
}

export async function hostileFixture(): Promise<HostileFixture> {
  const mail = createOutbox({ ...silent, now: () => new Date() });
  const it = await testApp({
    throttle: false,
    mail,
    trust_proxy: ["10.0.0.0/8"],
    provider_client: scriptedClient(),
    settings: {
      profiles: ["mcp"],
      registration: "open",
      extra_features: ["par", "dpop", "cli"],
      extra_client_auth: ["private_key_jwt"],
      extra_grants: [grantNames.jwt_bearer],
    },
    identity_settings: {
      extra_sign_in: ["passkey", "totp"],
      sign_up: "open",
      self_service: ["email", "deletion"],
      recovery_delay_hours: 72,
      remember_device_days: 30,
    },
  });
  const client = await anApp(it.store, {
    public: true,
    app_type: "spa",
    allowed_grants: ["auth_code", "refresh"],
  });
  await anApp(it.store, anOpenClient);
  await aResource(it.store, { who_may_ask: "any", scopes: { "tools:read": null } });
  const browser = testBrowser(it.app);
  const csrf_token = hiddenField(await browser.get("/login"), "csrf_token");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = [...new Set([...headersInSources(), ...readByOthers])].sort();
  return { ...it, client, routes: routesOf(it.app), cookie, csrf_token, headers };
}

/**
 * Returns sets of valid parameters, so that a route does most of its work before it refuses the anonymous
 * request. Hostile fields are added to each set.
 */
export function basesOf({ method, path }: Route, it: HostileFixture): readonly Parameters[] {
  const { client, csrf_token } = it;
  if (path === "/oauth/authorize") return [authorizeParameters(client)];
  if (path === "/oauth/par") return [{ ...authorizeParameters(client), client_id: client.client_id }];
  if (path === "/oauth/token")
    return [
      codeParameters(client, "pac_unknown"),
      { grant_type: "refresh_token", client_id: client.client_id },
      { grant_type: grantNames.jwt_bearer },
      { client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" },
    ];
  if (/^\/oauth\/(?:introspect|revoke)/.test(path))
    return [
      { client_id: client.client_id, token: "x" },
      { client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", token: "x" },
    ];
  if (method === "POST") return [{ csrf_token, email: "ada@example.com", password: "some password" }];
  return [{}];
}

const probe = "member_of_the_probe";

/**
 * Returns the names of form fields and query parameters that the server looks up during the work. A name
 * counts if it is requested from a Map or URLSearchParams that contains the name `probe`.
 */
export async function membersRead(work: (probe: string) => Promise<unknown>): Promise<string[]> {
  const names = new Set<string>();
  const restore: (() => void)[] = [];
  const watch = (holder: Map<unknown, unknown> | URLSearchParams) => {
    const real = holder.get as (this: unknown, name: unknown) => unknown;
    const has = holder.has as (this: unknown, name: unknown) => boolean;
    holder.get = function (this: unknown, name: unknown) {
      if (typeof name === "string" && has.call(this, probe)) names.add(name);
      return real.call(this, name);
    } as typeof holder.get;
    restore.push(() => {
      holder.get = real as typeof holder.get;
    });
  };
  watch(Map.prototype);
  watch(URLSearchParams.prototype);
  try {
    await work(probe);
  } finally {
    for (const each of restore) each();
  }
  names.delete(probe);
  return [...names].sort();
}
