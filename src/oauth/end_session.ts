/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0). */
import { verifyJwt } from "../crypto/jwt.ts";
import type { OAuthError } from "../errors.ts";
import type { Organization } from "../records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../records/definition/request_origin.ts";
import { stateSince } from "../records/names/liveness.ts";
import { type ClientRecord, isUsable } from "../records/rules/client_record.ts";
import { provenName } from "../records/rules/open_clients.ts";
import { findNamedClient } from "./client_sources/all_client_sources.ts";
import { type Params, refuseRepeated } from "./core/params.ts";
import { withParameters } from "./core/redirect_uri.ts";
import type { AuthorizationServer, SecurityEvent } from "./core/server.ts";
import { refuse } from "./refusals/refuse.ts";

export interface EndSessionInput {
  readonly params: Params;
  readonly signedIn: SignedIn | undefined;
  readonly confirmed: boolean;
  readonly origin: RequestOrigin;
}

export type EndSessionOutcome =
  | {
      readonly type: "ask";
      readonly client_name: string | undefined;
      readonly organization: Organization | undefined;
      readonly fields: Readonly<Record<string, string>>;
      readonly location: string | undefined;
    }
  | {
      /**
       * `none_ended`: this browser has no session, and the hint names no active one. `unproven`: this browser
       * has no session and no hint was sent, so the user must confirm the redirect.
       */
      readonly type: "ended" | "none_ended" | "unproven";
      readonly location: string | undefined;
      /** Set if the browser is not redirected to the requested URI, although a session ended. */
      readonly refused?: OAuthError | undefined;
      readonly client_name: string | undefined;
      readonly organization: Organization | undefined;
    };

const carried = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const;

/**
 * Ends the browser's session, or the session of the `id_token_hint` if the browser has none
 * (docs/decisions/sign-out.md). Before the browser's session ends, the user is asked, unless `confirmed` is
 * set or the hint belongs to that session (design 6.14). An invalid hint or return URI does not prevent the
 * sign-out. Without a session to end, the error is thrown as an `OAuthError` that is shown to the user.
 */
export async function endSession(
  input: EndSessionInput,
  server: AuthorizationServer,
): Promise<EndSessionOutcome> {
  const { params, signedIn, confirmed, origin } = input;
  refuseRepeated(params);
  const { hint, client, location, refused } = await readLogout(params, server);
  const about = { client_name: client && provenName(client.app), organization: client?.organization };
  const ended = { type: "ended", location, ...(refused && { refused }), ...about } as const;
  if (signedIn === undefined) {
    if (await endSessionOf(hint, client, origin, server)) return ended;
    if (refused !== undefined) throw refused;
    return { type: hint === undefined ? "unproven" : "none_ended", location, ...about };
  }
  if (!confirmed && hint?.sid !== signedIn.session.id) {
    const fields = carried.flatMap((name) => {
      const value = params.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return { type: "ask", ...about, fields: Object.fromEntries(fields), location };
  }
  await end(signedIn.session.id, { kind: "user", id: signedIn.user.id }, origin, server);
  return ended;
}

async function end(
  session_id: string,
  actor: SecurityEvent["actor"],
  origin: RequestOrigin,
  server: AuthorizationServer,
): Promise<void> {
  await server.store.endSession(session_id, server.now());
  const target = { table: "sessions", id: session_id };
  server.report({ type: "sign_out", outcome: "success", actor, target, origin });
}

/**
 * Possession of the ID token is sufficient, because a sign-out only removes access
 * (docs/decisions/sign-out.md).
 */
async function endSessionOf(
  hint: Hint | undefined,
  client: ClientRecord | undefined,
  origin: RequestOrigin,
  server: AuthorizationServer,
): Promise<boolean> {
  if (typeof hint?.sid !== "string" || client === undefined) return false;
  const session = await server.store.find("sessions", { id: hint.sid });
  const user = session && (await server.store.findUser(session.user_id));
  if (session === undefined || user === undefined || user.id !== hint.sub) return false;
  // An expired session is ended too, because its tokens may still be active.
  if (session.ended_at !== null || stateSince(user, session.authenticated_at) !== "active") return false;
  await end(session.id, { kind: "client", id: client.app.client_id }, origin, server);
  return true;
}

interface LogoutRequest extends ReturnAddress {
  readonly hint?: Hint | undefined;
  readonly client?: ClientRecord | undefined;
}

/** If the hint is invalid, the other parameters of the request are ignored too. */
async function readLogout(params: Params, server: AuthorizationServer): Promise<LogoutRequest> {
  const token = params.get("id_token_hint");
  const hint = token === undefined ? undefined : await readHint(token, server);
  if (token !== undefined && hint === undefined) return { refused: refuse("id_token_hint") };
  const client_id = params.get("client_id");
  if (client_id !== undefined && hint !== undefined && hint.aud !== client_id) {
    return { refused: refuse("hint_of_other_client", { client_id }) };
  }
  const known = client_id ?? (typeof hint?.aud === "string" ? hint.aud : undefined);
  const found = known === undefined ? undefined : await findNamedClient(known, { for: "pending" }, server);
  const client = found !== undefined && isUsable(found) ? found : undefined;
  return { hint, client, ...returnAddress(params, client) };
}

interface Hint {
  readonly sid: unknown;
  readonly sub: unknown;
  readonly aud: unknown;
}

async function readHint(token: string, server: AuthorizationServer): Promise<Hint | undefined> {
  const claims = await verifyJwt(token, await server.keys(), {
    typ: "JWT",
    issuer: server.issuer,
    now: server.now(),
    allowExpired: true,
  });
  return claims && { sid: claims.sid, sub: claims.sub, aud: claims.aud };
}

interface ReturnAddress {
  readonly location?: string | undefined;
  readonly refused?: OAuthError;
}

/** Only a URI that the client registered is accepted, which prevents open redirects (O-3). */
function returnAddress(params: Params, client: ClientRecord | undefined): ReturnAddress {
  const uri = params.get("post_logout_redirect_uri");
  if (uri === undefined) return {};
  if (client === undefined) return { refused: refuse("logout_client_missing") };
  const registered = client.app.post_logout_redirect_uris;
  if (!registered.includes(uri)) {
    return { refused: refuse("post_logout_redirect_uri", { uri, registered }).about(client.app) };
  }
  const state = params.get("state");
  return { location: state === undefined ? uri : withParameters(uri, { state }) };
}
