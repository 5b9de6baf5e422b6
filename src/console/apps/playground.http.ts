import type { AdminContext } from "../../admin/access/actor.ts";
import { createRecord, revokeRecord } from "../../admin/manage/manage.ts";
import type { AppState } from "../../admin/reports/app_state.ts";
import {
  findPlayground,
  forgetPlayground,
  type PlaygroundKey,
  playgroundProofKey,
  playgroundSeconds,
  storePlayground,
} from "../../admin/reports/playgrounds.ts";
import { appSecrets, tokens } from "../../admin/resources/apps.ts";
import { Problem } from "../../errors.ts";
import { decodedJwt, type FlowRun } from "../../http/flow_run.ts";
import { isAboutUser, isGrantable } from "../../oauth/resources/requested.ts";
import { managementScopes } from "../../records/definition/permissions.ts";
import { stateOfApp } from "../../records/names/liveness.ts";
import type { Exchange } from "../../web/exchange.ts";
import type { PlaygroundWords } from "../../web/words/en/playground.ts";
import type { PlaygroundAction, ScopeChoice } from "./playground.page.ts";

interface PlaygroundSecret {
  readonly id: string;
  readonly value: string;
}

export interface Playground {
  readonly walk: FlowRun;
  /** Undefined for an app that was public when the playground was created. */
  readonly secret?: PlaygroundSecret;
  /** The private key that signs DPoP proofs. Used only if the app's tokens must be bound to a key. */
  readonly proof_key?: string;
  /** In ISO 8601. */
  readonly ends_at: string;
}

/**
 * Returns the flows that the playground can run for the app, with their scopes. `unable` lists the reasons
 * why it can run none.
 */
export function triableOf({ app, organization_active }: AppState, methods: readonly string[]) {
  const has = (grant: string) => app.allowed_grants.includes(grant);
  const scopes = app.allowed_scopes.filter(isGrantable);
  const asMachine = scopes.filter((scope) => !isAboutUser(scope));
  const signs_in = has("auth_code") && scopes.length > 0;
  const machine = has("client_credentials") && !app.public;
  const why: (keyof PlaygroundWords["unable"])[] = [];
  const state = stateOfApp(app);
  if (state === "revoked") why.push("revoked");
  else if (state === "inactive" || !organization_active) why.push("inactive");
  if (!app.public && !methods.includes("client_secret_basic")) why.push("own_key");
  if (has("client_credentials") && app.public && !has("auth_code")) why.push("public_machine");
  else if (!has("auth_code") && !machine) why.push("no_grants");
  else if (!signs_in && (!machine || asMachine.length === 0)) why.push("no_scopes");
  return {
    unable: why,
    signs_in,
    sign_in_scopes: signs_in ? scopes : [],
    machine_scopes: machine ? asMachine : [],
    resource: app.resources[0],
  };
}

/**
 * Returns the scopes, each with whether it is selected: those in `chosen` or, by default, all except
 * management scopes. A test rarely needs the latter.
 */
export function choicesOf(scopes: readonly string[], chosen?: readonly string[]): ScopeChoice[] {
  const usual = (name: string) => !managementScopes.includes(name);
  return scopes.map((name) => ({ name, chosen: chosen?.includes(name) ?? usual(name) }));
}

export async function currentPlayground(
  admin: AdminContext,
  place: PlaygroundKey,
): Promise<Playground | undefined> {
  const content = await findPlayground(admin, place);
  return content === undefined ? undefined : (JSON.parse(content) as Playground);
}

/** Earlier steps are dropped, so that the page stays short. */
const mostSteps = 12;

export async function savePlayground(
  admin: AdminContext,
  place: PlaygroundKey,
  playground: Playground,
): Promise<void> {
  playground.walk.steps = playground.walk.steps.slice(-mostSteps);
  await storePlayground(admin, place, JSON.stringify(playground), new Date(playground.ends_at));
}

/**
 * Returns the current playground or creates one. A new playground of a confidential app contains a new secret
 * of the app, which expires when the playground ends.
 */
export async function openPlayground(
  admin: AdminContext,
  place: PlaygroundKey,
  { app }: Pick<AppState, "app">,
): Promise<Playground> {
  const known = await currentPlayground(admin, place);
  if (known !== undefined && (app.public || known.secret !== undefined)) return known;
  const ends_at = new Date(admin.now().getTime() + playgroundSeconds * 1000).toISOString();
  const walk: FlowRun = { steps: [] };
  const proof_key = playgroundProofKey();
  if (app.public) return { walk, proof_key, ends_at };
  const { record, once } = await createRecord(admin, appSecrets, { app_id: app.id, expires_at: ends_at });
  const playground = {
    walk,
    proof_key,
    ends_at,
    secret: { id: String(record.id), value: once.secret ?? "" },
  };
  // Saved at once, so that the new secret can be revoked even if a later step fails.
  await savePlayground(admin, place, playground);
  return playground;
}

/**
 * Deletes the playground and revokes its access token and secret. The token is revoked here too, because the
 * client's revocation request (`revokeTokens`) fails if its secret is no longer valid.
 */
export async function closePlayground(
  admin: AdminContext,
  place: PlaygroundKey,
  { walk, secret }: Playground,
): Promise<void> {
  const token_id = decodedJwt(walk.access_token)?.jti;
  // A user who may not revoke the app's tokens can still end the playground.
  if (typeof token_id === "string") await unlessMissing(revokeRecord(admin, tokens, token_id));
  if (secret !== undefined) await unlessMissing(revokeRecord(admin, appSecrets, secret.id));
  await forgetPlayground(admin, place);
}

async function unlessMissing(done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!(error instanceof Problem && (error.status === 404 || error.status === 403))) throw error;
  }
}

/** Returns the actions that are possible with the current tokens, the most likely first. */
export function playgroundActions({ walk, secret }: Playground): PlaygroundAction[] {
  if (walk.access_token === undefined) return [];
  return [
    ...(walk.signs_in ? (["userinfo"] as const) : []),
    ...(secret === undefined ? [] : (["introspect"] as const)),
    ...(walk.refresh_token === undefined ? [] : (["refresh"] as const)),
    "revoke",
  ];
}

const credentials = /\b(?:eyJ[\w-]+\.[\w-]+\.[\w-]+|p(?:ac|rt|cs|ot)_[\w-]{20,})/g;

const shortened = (text: string) =>
  text
    .replace(credentials, (credential) => `${credential.slice(0, 4)}…${credential.slice(-3)}`)
    .replace(/^Basic .*/, "Basic …");

/**
 * Returns the request and its response for display. In URLs, request headers and bodies, shortens JWTs,
 * codes, opaque tokens, secrets and the credentials of HTTP Basic.
 */
export function withoutCredentials(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: request && {
      ...request,
      url: shortened(request.url),
      headers: shortenedHeaders(request.headers),
      body: request.body && shortened(request.body),
    },
    response: response && { ...response, body: response.body && shortened(response.body) },
  };
}

function shortenedHeaders(headers: Readonly<Record<string, string>> | undefined) {
  return (
    headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shortened(value)]))
  );
}
