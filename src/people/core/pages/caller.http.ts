import type { FastifyRequest } from "fastify";
import type { AccountNotice, Actor, AdminContext, MadeInvitation } from "../../../admin/access/actor.ts";
import { detail } from "../../../errors/details.ts";
import { OAuthError, Problem } from "../../../errors.ts";
import { UnknownCaller } from "../../../http/challenge.ts";
import { readCookie } from "../../../http/cookies.ts";
import { type LevelLately, requireFreshSignIn } from "../../../http/fresh_sign_in.ts";
import { languageOf } from "../../../http/language.ts";
import { isFromNamedOrigin } from "../../../http/named_origins.ts";
import { headerText, originOf } from "../../../http/request_origin.ts";
import { isForeignSite } from "../../../http/same_origin.ts";
import { targetOf } from "../../../http/target.ts";
import { proveSenderAtResource, useProofAtResource } from "../../../oauth/dpop/sender.ts";
import { activeApiKey } from "../../../oauth/presented/active_api_key.ts";
import {
  activeToken,
  findToken,
  type PresentedToken,
  readAccessToken,
} from "../../../oauth/presented/active_token.ts";
import { isForThisServer } from "../../../oauth/resources/audience.ts";
import type { OAuthToken, User } from "../../../records/definition/definition.ts";
import { readRequestData, type TokenRequestData } from "../../../records/names/request_data.ts";
import {
  acrLately,
  isLately,
  type Lately,
  methodsOf,
  sudoAge,
} from "../../../records/names/sign_in_methods.ts";
import type { HttpContext } from "../http_context.http.ts";
import { postNotice } from "../notices/account_notices.http.ts";
import { disownLink } from "../notices/disown_link.http.ts";
import { postInvitation } from "../notices/post_invitation.http.ts";
import { findSession } from "../sessions.ts";
import { countAttempt } from "../throttle.ts";

/** See RFC 9110, section 9.2.1. */
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Returns the management context with the caller of this request as its actor. Throws 401 `unauthorized`,
 * 403 `forbidden`, 429 `quota_exceeded` or `InsufficientSignIn`.
 */
export async function callerOf(request: FastifyRequest, context: HttpContext): Promise<AdminContext> {
  const { actor, credential } = await actorOf(request, context);
  // An export calls this function again for each page of rows, which must not count as another request.
  if (request.counted_as === undefined)
    context.rate_limits?.take(request, credential, 1, context.server.now());
  request.counted_as = credential;
  return managementBy(actor, request, context);
}

declare module "fastify" {
  interface FastifyRequest {
    counted_as: string | undefined;
  }
}

interface Known {
  readonly actor: Actor;
  readonly credential: string;
}

export function managementBy(actor: Actor, request: FastifyRequest, context: HttpContext): AdminContext {
  const { server, store, log } = context;
  const { passwords, sealer, now, issuer } = server;
  const origin = originOf(request);
  const { client_ip } = origin;
  // Without browser marks, the holder of a session gets no extra guesses at the account's password.
  const countGuess = (account: User) => countAttempt({ account, client_ip }, context.identity);
  const onAccountNotice = ({ user_id: id, email, language = null, ...rest }: AccountNotice) => {
    const isOwn = actor.kind === "user" && actor.user.id === id;
    const not_me_href = isOwn ? linkOfOwnAct(actor, context) : undefined;
    const by = isOwn ? request : undefined;
    postNotice(context, { ...rest, user: { id, email, language }, request: by, not_me_href });
  };
  const onInvitation = (made: MadeInvitation) => postInvitation(context, made, languageOf(request));
  return {
    store,
    passwords,
    sealer,
    now,
    issuer,
    actor,
    remembered: {},
    switches: server.settings,
    picture_hosts: context.picture_hosts ?? [],
    origin,
    countGuess,
    onAccountNotice,
    ...(context.mail !== undefined && { onInvitation }),
    onMailRefused: (kind) => context.metrics?.count("postern_mails_refused_total", { kind }),
    log,
  };
}

/**
 * Returns a function that creates the "It was not me" link. Without a session, as for an API request with a
 * token, the link ends the user's records of any age.
 */
function linkOfOwnAct(
  { user, session_id }: Extract<Actor, { readonly kind: "user" }>,
  context: HttpContext,
): () => Promise<string> {
  return async () => {
    const { store } = context.identity;
    const session = session_id === undefined ? undefined : await store.find("sessions", { id: session_id });
    return disownLink({ user, since: session?.created_at ?? null }, context)();
  };
}

/**
 * A credential in the `Authorization` header takes precedence over the session cookie, which the browser may
 * have sent automatically.
 */
async function actorOf(request: FastifyRequest, context: HttpContext): Promise<Known> {
  const { authorization } = request.headers;
  if (authorization === undefined) return signedInActor(request, context);
  const presented = readAccessToken(authorization, context.server);
  if (presented === undefined || presented === "malformed") {
    throw new UnknownCaller(true, detail("no_bearer"));
  }
  const key = presented.scheme === "Bearer" ? await keyActor(presented.text, context) : undefined;
  const known = key ?? (await tokenActor(presented, request, context).catch(refuseProof));
  if (known !== undefined) return known;
  throw new UnknownCaller(true, detail("inactive_credential"));
}

/** Changes must come from a page of this server (RFC 9700, section 4.7; L-5). */
async function signedInActor(request: FastifyRequest, context: HttpContext): Promise<Known> {
  const { identity, secure, server } = context;
  const cookie = isFromNamedOrigin(request, server) ? undefined : readCookie(request, "session", secure);
  const signedIn = cookie === undefined ? undefined : await findSession(cookie, identity);
  if (signedIn === undefined) {
    throw new UnknownCaller(cookie !== undefined, detail("not_signed_in"));
  }
  if (
    !safeMethods.has(request.method) &&
    (isForeignSite(request) ?? request.headers.origin !== server.issuer)
  ) {
    throw new Problem("forbidden", detail("foreign_origin"));
  }
  const { user, session } = signedIn;
  // A stolen cookie must not bypass the recent authentication (sudo) that the pages require (SU-6).
  const age = server.settings.api_step_up_age || sudoAge / 1000;
  const levelLately = (when: Lately) => acrLately(methodsOf(session), when);
  await requireFreshSignIn(user, { levelLately, age }, request, context);
  return { actor: { kind: "user", user, session_id: session.id }, credential: `session ${session.id}` };
}

async function keyActor(text: string, { server }: HttpContext): Promise<Known | undefined> {
  const live = await activeApiKey(text, server);
  if (live === undefined) return undefined;
  const { user, organization } = live;
  const { id: api_key_id, scopes } = live.key;
  server.store.queueUse("api_keys", api_key_id, server.now());
  const actor: Actor =
    user === undefined
      ? { kind: "organization", organization, api_key_id, scopes }
      : { kind: "user", user, scopes, api_key_id };
  return { actor, credential: `api_key ${api_key_id}` };
}

/** The token's audience must be this server (RFC 9068, section 4). */
async function tokenActor(
  { scheme, text: access_token }: PresentedToken,
  request: FastifyRequest,
  context: HttpContext,
): Promise<Known | undefined> {
  const { server } = context;
  const { path } = targetOf(request);
  const proof = { method: request.method, path, dpop: headerText(request, "dpop"), access_token };
  const sender = await proveSenderAtResource(proof, server);
  const found = await findToken(access_token, server);
  const live =
    found?.half === "access_token" ? await activeToken(found, { scheme, sender }, server) : undefined;
  if (live === undefined || !isForThisServer(live.row.audience, server.issuer)) return undefined;
  await useProofAtResource(sender, server);
  const { row, user, member, service_account, client } = live;
  server.store.queueUse("oauth_tokens", row.id, server.now());
  const { scopes } = row;
  // Counted per client and user, so that a new token does not get its own quota.
  const credential = `token ${client.app.id} ${user?.id ?? service_account?.id ?? ""}`;
  if (user !== undefined) {
    const { api_step_up_age: age = 0 } = context.server.settings;
    await requireFreshSignIn(user, { levelLately: levelOf(row), age }, request, context);
    return { actor: { kind: "user", user, member, scopes }, credential };
  }
  if (service_account !== undefined) {
    return { actor: { kind: "service_account", account: service_account, scopes }, credential };
  }
  return { actor: { kind: "client", app: client.app, scopes }, credential };
}

/** A sign-in through an organization's own provider proves no authentication level. */
function levelOf({ request_data }: Pick<OAuthToken, "request_data">): LevelLately {
  const { acr, auth_time, of_organization } = readRequestData<TokenRequestData>(request_data);
  if (of_organization) return () => undefined;
  return (when) => (auth_time !== undefined && isLately(new Date(auth_time * 1000), when) ? acr : undefined);
}

function refuseProof(error: unknown): never {
  if (!(error instanceof OAuthError)) throw error;
  const unknown = new UnknownCaller(true, detail("proof_refused", { why: error.description }), error.code);
  unknown.cause = error;
  throw unknown;
}
