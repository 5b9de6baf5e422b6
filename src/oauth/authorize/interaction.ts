/**
 * Whether a request requires the user to sign in again, to register, to choose an account, to step up, or to
 * be a certain user (OpenID Connect Core 3.1.2.1). The session stores for which request the user last signed
 * in, so the same request does not ask twice (design 6.2, A-29).
 */
import { equalBytes, signatureOf } from "../../crypto/credentials.ts";
import { verifyJwt } from "../../crypto/jwt.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import {
  type Acr,
  type AuthenticationClaims,
  authenticationClaims,
  highestAcr,
  isAcr,
  isGivenLately,
  isLately,
  type Lately,
  lately,
  methodsOf,
  reachesAcr,
  type SignInMethod,
} from "../../records/names/sign_in_methods.ts";
import type { Params } from "../core/params.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";

/** Milliseconds for which the session remembers the request that the user signed in for. */
const satisfactionLimit = 600_000;

/** Maximum milliseconds of a sign-in, from its first factor to its last. */
const longestSignIn = 600_000;

interface Interaction {
  readonly prompt: ReadonlySet<string>;
  readonly max_age: string | undefined;
  readonly id_token_hint: string | undefined;
  readonly login_hint: string | undefined;
  readonly requested_acr: readonly Acr[];
}

/**
 * Reads the parameters that concern the interaction with the user. It never throws: malformed values are
 * refused later.
 */
export function readInteraction(params: Params, app: Pick<OAuthApp, "require_acr">): Interaction {
  return {
    prompt: new Set((params.get("prompt") ?? "").split(" ").filter((value) => value !== "")),
    max_age: params.get("max_age"),
    id_token_hint: params.get("id_token_hint"),
    login_hint: params.get("login_hint"),
    requested_acr: requestedAcr(params, app),
  };
}

export type RequiredInteraction = "sign_in" | "register" | "select_account" | undefined;

interface SignInContext {
  readonly url: string;
  readonly now: Date;
  /**
   * True if users may register themselves and `prompt=create` requests it (Initiating User Registration 1.0,
   * section 4).
   */
  readonly registers: boolean;
}

export interface SignInState {
  readonly satisfied: boolean;
  readonly required: RequiredInteraction;
  readonly methods: readonly SignInMethod[];
  readonly authentication: Omit<AuthenticationClaims, "acr"> & { readonly acr: string };
}

/**
 * Returns the step that a user without a session must take. Throws `invalid_request` if `prompt` combines
 * `none` with another value.
 */
export function stepOfStranger({ prompt }: Interaction, { registers }: Pick<SignInContext, "registers">) {
  refuseMixedPrompt(prompt);
  return registers ? "register" : "sign_in";
}

/**
 * Returns which step the user must still take, and the authentication that tokens report. Throws
 * `invalid_request` if `prompt` combines `none` with another value, or `max_age` is malformed.
 */
export function signInFor(
  interaction: Interaction,
  signedIn: SignedIn,
  { url, now, registers }: SignInContext,
): SignInState {
  refuseMixedPrompt(interaction.prompt);
  refuseMalformedAge(interaction.max_age);
  const satisfied = isSatisfied(url, signedIn, now);
  const methods = countedMethods(interaction, signedIn, satisfied, now);
  const { acr, authenticated_at: auth_time } = signedIn.session;
  const authentication = authenticationClaims(methods, interaction.requested_acr) ?? {
    acr,
    amr: [],
    auth_time,
  };
  const required = requiredInteraction(interaction, { satisfied, ...authentication }, { now, registers });
  return { satisfied, required, methods, authentication };
}

function requiredInteraction(
  interaction: Interaction,
  { satisfied, auth_time }: Pick<SignInState, "satisfied"> & { readonly auth_time?: Date | undefined },
  { now, registers }: Omit<SignInContext, "url">,
): RequiredInteraction {
  const { prompt, max_age } = interaction;
  // A sign-in at a provider is not fresh if the provider did not report when the user signed in (EP-15).
  const isFresh = auth_time !== undefined || !wantsFresh(interaction);
  if (satisfied && isFresh) return undefined;
  if (registers && !satisfied) return "register";
  if (prompt.has("login") || !isFresh) return "sign_in";
  if (max_age !== undefined && !isWithinAge(auth_time, Number(max_age), now)) return "sign_in";
  return prompt.has("select_account") ? "select_account" : undefined;
}

function isWithinAge(auth_time: Date | undefined, seconds: number, now: Date): boolean {
  return seconds > 0 && auth_time !== undefined && isLately(auth_time, lately(seconds * 1000, now));
}

function wantsFresh({ prompt, max_age }: Interaction): boolean {
  return max_age !== undefined || prompt.has("login");
}

/**
 * Returns the methods that count for the sign-in level and for `auth_time`. If the user has just given the
 * fresh sign-in that the request required, earlier methods do not count (SU-4).
 */
function countedMethods(
  interaction: Interaction,
  { session }: SignedIn,
  satisfied: boolean,
  now: Date,
): readonly SignInMethod[] {
  const methods = methodsOf(session);
  const { satisfied_request } = session;
  const { max_age } = interaction;
  if (!satisfied || satisfied_request === null || !wantsFresh(interaction)) return methods;
  const input = (when: Lately) => methods.filter((method) => isGivenLately(method, when));
  const fresh = max_age === undefined ? [] : input(lately(Number(max_age) * 1000, now));
  const recent = input({ since: new Date(satisfied_request.readUIntBE(0, 6) - longestSignIn), now });
  return [fresh, recent].find((some) => authenticationClaims(some) !== undefined) ?? methods;
}

/** Checks `prompt`, `max_age` and `id_token_hint` without a signed-in user. Throws `invalid_request`. */
export async function refuseMalformed(
  { prompt, max_age, id_token_hint }: Interaction,
  server: AuthorizationServer,
): Promise<void> {
  refuseMixedPrompt(prompt);
  refuseMalformedAge(max_age);
  if (id_token_hint !== undefined) await hintedUser(id_token_hint, server);
}

function refuseMixedPrompt(prompt: Interaction["prompt"]): void {
  if (prompt.has("none") && prompt.size > 1) throw refuse("prompt_none", { received: [...prompt] });
}

function refuseMalformedAge(max_age: Interaction["max_age"]): void {
  if (max_age !== undefined && !/^\d{1,10}$/.test(max_age)) throw refuse("max_age", { received: max_age });
}

/** Returns the value that a session stores when the user has signed in for this request. */
export function requestHash(url: string, now: Date): Buffer {
  return signatureOf(url, now.getTime());
}

function isSatisfied(url: string, { session }: SignedIn, now: Date): boolean {
  const remembered = session.satisfied_request;
  if (remembered === null) return false;
  const at = remembered.readUIntBE(0, 6);
  const isRecent = isLately(new Date(at), lately(satisfactionLimit, now));
  return isRecent && equalBytes(remembered, signatureOf(url, at));
}

/**
 * Throws `login_required` if `id_token_hint` names another user than the signed-in one, and `invalid_request`
 * if it is not an ID token of this server. An expired hint is accepted.
 */
export async function refuseOtherUser(
  { id_token_hint }: Interaction,
  { user }: SignedIn,
  server: AuthorizationServer,
): Promise<void> {
  if (id_token_hint === undefined) return;
  if ((await hintedUser(id_token_hint, server)) !== user.id) throw refuse("other_user");
}

async function hintedUser(id_token_hint: string, server: AuthorizationServer): Promise<string> {
  const claims = await verifyJwt(id_token_hint, await server.keys(), {
    typ: "JWT",
    issuer: server.issuer,
    now: server.now(),
    allowExpired: true,
  });
  if (typeof claims?.sub !== "string") throw refuse("id_token_hint");
  return claims.sub;
}

/**
 * Returns the requested sign-in levels, in order of preference; any one is sufficient (SU-3, OpenID Connect
 * Core 3.1.2.1, RFC 9470 4). If the app requires a level, lower levels are left out.
 */
function requestedAcr(params: Params, { require_acr }: Pick<OAuthApp, "require_acr">): readonly Acr[] {
  const wishes = (params.get("acr_values") ?? "").split(" ").filter(isAcr);
  if (require_acr === null) return wishes;
  const enough = wishes.filter((wish) => reachesAcr(wish, require_acr));
  return enough.length > 0 ? enough : [require_acr];
}

interface StepUp {
  readonly requested: readonly Acr[];
  readonly app: Pick<OAuthApp, "require_acr">;
  readonly methods: readonly SignInMethod[];
  readonly silent: boolean;
  readonly signedIn: SignedIn;
}

/**
 * Returns the sign-in level to which the user must step up; undefined if the session suffices. Throws
 * `login_required` if a step-up is needed, but `silent` forbids it. Throws
 * `unmet_authentication_requirements` if the user cannot reach the level that the app requires.
 */
export async function stepUpFor(
  { requested, app: { require_acr }, methods, silent, signedIn }: StepUp,
  server: AuthorizationServer,
): Promise<Acr | undefined> {
  const held = authenticationClaims(methods)?.acr;
  if (requested.length === 0 || requested.some((level) => reachesAcr(held, level))) return undefined;
  const highest = highestAcr(await server.store.enrolledMethods(signedIn.user));
  const [easiest = require_acr ?? undefined] = requested
    .filter((level) => reachesAcr(highest, level))
    .toSorted((one, other) => Number(reachesAcr(one, other)) - Number(reachesAcr(other, one)));
  if (easiest === undefined || reachesAcr(held, easiest)) return undefined;
  if (!reachesAcr(highest, easiest)) throw refuse("acr_unreachable", { highest, requested: [easiest] });
  if (silent) throw refuse("acr_not_held", { held, requested });
  return easiest;
}
