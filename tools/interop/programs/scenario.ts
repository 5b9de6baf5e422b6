/** The server at which a program signs in, and helpers for its script. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { ada } from "../../../test/interop/registrations.ts";
import {
  type FormBrowser,
  formBrowser,
  goThrough,
  isLoginPage,
  type Page,
  type Person,
} from "../../../test/support/form_browser.ts";
import {
  commandsOn,
  type Environment,
  type ServedProcess,
  servedProcess,
} from "../../../test/support/process.ts";
import { until } from "../../../test/support/until.ts";

/** An administrator of Acme. */
export const person = ada;
/** A member of Acme without an administrator role. */
export const member = {
  email: "grace@example.com",
  name: "Grace Hopper",
  password: "another battery horse staple",
} as const;
export const secret = "the secret of an app that others wrote";

/** Number of concurrent requests of one page that find their access token expired. */
export const atOnce = 4;

/** Settings of an app whose tokens contain the user's roles at Acme. */
export const withRoles = {
  allowed_scopes: ["openid", "profile", "email", "organization", "roles"],
  organization_mode: "auto",
  claims: { roles: ["id_token", "userinfo"] },
} as const;

/** The name of a group that contains `person` but not `member`. */
export const group = "Data platform";

/** Like `withRoles`, but with the user's groups too. */
export const withGroups = {
  ...withRoles,
  allowed_scopes: [...withRoles.allowed_scopes, "groups"],
  claims: { ...withRoles.claims, groups: ["id_token", "userinfo"] },
} as const;

/**
 * Creates the group `group` at Acme. Returns a function that removes its member, which takes effect
 * within a second.
 */
export async function groupedAt(served: ServedProcess): Promise<() => Promise<unknown>> {
  const cli = await commandsOn(served);
  const made = ["group", "create", "--organization", "acme", "--display-name", group];
  const { id } = await cli.json<{ id: string }>(made);
  const joined = ["group-member", "create", "--group", id, "--user", person.email];
  const membership = await cli.json<{ id: string }>(joined);
  return () => cli.json(["group-member", "delete", membership.id, "--yes"]);
}

/** Changes the administrator's role to member, which takes effect within a second. */
export async function demotedAt(served: ServedProcess): Promise<void> {
  const cli = await commandsOn(served);
  await cli.json(["membership", "update", person.email, "acme", "--role", "member"]);
}

/**
 * Signs a user in to a program in a new browser. At `start`, to which `form` is posted if given, the program
 * redirects the browser to Postern. Returns the browser, and the program's response to the callback.
 */
export async function signedInAt(
  start: string,
  who: Person,
  form?: Readonly<Record<string, string>>,
): Promise<{ readonly browser: FormBrowser; readonly page: Page }> {
  const browser = formBrowser();
  const begun = form === undefined ? await browser.get(start) : await browser.post(start, form);
  const { location = "" } = await browser.follow(begun);
  const back = await goThrough(browser, location, who);
  return { browser, page: await browser.get(back.href) };
}

/** Starts Postern as an operator does, with an app, until the end of the test. */
export async function posternFor(
  context: TestContext,
  app: object,
  environment: Environment = {},
): Promise<ServedProcess> {
  const manifest = {
    organizations: [{ slug: "acme", name: "Acme" }],
    users: [
      { ...person, attributes: { preferred_username: "ada" } },
      { ...member, attributes: { preferred_username: "grace" } },
    ],
    memberships: [
      { user: person.email, organization: "acme", role: "admin" },
      { user: member.email, organization: "acme", role: "member" },
    ],
    apps: [{ name: "Program", owner: person.email, ...app }],
  };
  const served = await servedProcess({ manifest, environment });
  context.after(() => served.stop());
  return served;
}

interface Started {
  readonly cwd?: string;
  readonly environment?: Environment;
  /** An address that responds with a page or a redirect once the program has started. */
  readonly url: string;
}

/**
 * Starts a program, waits until it responds, and stops it at the end of the test. Throws an error with
 * its output.
 */
export async function startedProgram(
  context: TestContext,
  command: string,
  args: readonly string[],
  { cwd, environment = {}, url }: Started,
): Promise<ChildProcess> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ...environment };
  const child = spawn(command, args, { ...(cwd && { cwd }), env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const closed = once(child, "close");
  context.after(async () => {
    child.kill("SIGTERM");
    await closed;
  });
  await until(async () => {
    assert.equal(child.exitCode, null, `${command} ended: ${said}`);
    const answer = await fetch(url, { redirect: "manual" }).catch(() => undefined);
    return answer !== undefined && answer.status < 400;
  }, `${command} answers at ${url}`);
  return child;
}

type Tokens = Readonly<Record<string, unknown>> & { readonly refresh_token: string };

/** Sends a request to the token endpoint, with the client authentication in the form, if any. */
export async function tokensOf(issuer: string, form: Readonly<Record<string, string>>): Promise<Tokens> {
  const answer = await fetch(`${issuer}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text) as Tokens;
}

/**
 * Uses one refresh token in several concurrent requests, and then uses the refresh token from the last
 * response. If the server refused it, the user would be signed out. Returns the last tokens.
 */
export async function refreshedAtOnce(
  issuer: string,
  client: Readonly<Record<string, string>>,
  refresh_token: string,
): Promise<Tokens> {
  const refresh = (token: string) =>
    tokensOf(issuer, { grant_type: "refresh_token", ...client, refresh_token: token });
  const answers = await Promise.all(Array.from({ length: atOnce }, () => refresh(refresh_token)));
  const last = answers.at(-1);
  assert.ok(last);
  return refresh(last.refresh_token);
}

/** Throws if this browser is still signed in. */
export async function assertSignedOut(browser: FormBrowser, issuer: string): Promise<void> {
  const page = await browser.follow(await browser.get(`${issuer}/account`));
  assert.ok(isLoginPage(page), `still signed in: ${page.status} ${page.url}`);
}
