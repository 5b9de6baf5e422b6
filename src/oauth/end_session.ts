/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0). */
import { verifyJwt } from "../crypto/jwt.ts";
import type { OAuthError } from "../errors.ts";
import { type ClientRecord, isUsable } from "../records/client_record.ts";
import type { Organization } from "../records/definition.ts";
import { provenName } from "../records/proven_name.ts";
import type { RequestOrigin, SignedIn } from "../records/request_origin.ts";
import { withParameters } from "./authorize/redirect_uri.ts";
import { findNamedClient } from "./client_sources/all_client_sources.ts";
import { type Params, refuseRepeated } from "./params.ts";
import { refuse } from "./refusals/refuse.ts";
import type { AuthorizationServer } from "./server.ts";

export interface EndSessionInput {
  readonly params: Params;
  readonly signedIn: SignedIn | undefined;
  /** The person has just confirmed on our own page. */
  readonly confirmed: boolean;
  readonly origin: RequestOrigin;
}

export type EndSessionOutcome =
  | {
      readonly type: "ask";
      readonly client_name: string | undefined;
      /** The client's, when it is active. */
      readonly organization: Organization | undefined;
      /** What the confirmation brings back. */
      readonly fields: Readonly<Record<string, string>>;
      readonly location: string | undefined;
    }
  | {
      /**
       * `unproven`: nobody is signed in, and nothing shows that somebody was: the browser leads nowhere by
       * itself.
       */
      readonly type: "ended" | "unproven";
      readonly location: string | undefined;
      readonly client_name: string | undefined;
      readonly organization: Organization | undefined;
    };

const carried = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const;

/**
 * Ends the browser's session, at once only on an `id_token_hint` of this very session, expired ones too;
 * otherwise the person is asked first (design 6.14). Where nobody is signed in, a hint alone leads the
 * browser on (docs/decisions/0026). A return address that is not the client's prevents no sign-out: it is
 * refused after the end (RP-Initiated Logout 1.0 4). Throws an `OAuthError` for the person when the request
 * does not fit together.
 */
export async function endSession(
  input: EndSessionInput,
  server: AuthorizationServer,
): Promise<EndSessionOutcome> {
  const { params, signedIn, confirmed, origin } = input;
  refuseRepeated(params);
  const hint = await readHint(params, server);
  const client = await clientOf(params, hint, server);
  const { location, refused } = returnAddress(params, client);
  const about = { client_name: client && provenName(client.app), organization: client?.organization };
  if (signedIn === undefined) {
    if (refused !== undefined) throw refused;
    return { type: hint === undefined ? "unproven" : "ended", location, ...about };
  }
  if (!confirmed && hint?.sid !== signedIn.session.id) {
    const fields = carried.flatMap((name) => {
      const value = params.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return { type: "ask", ...about, fields: Object.fromEntries(fields), location };
  }
  await server.store.endSession(signedIn.session.id, server.now());
  server.report({
    type: "sign_out",
    outcome: "success",
    actor: { kind: "user", id: signedIn.user.id },
    target: { table: "sessions", id: signedIn.session.id },
    origin,
  });
  if (refused !== undefined) throw refused;
  return { type: "ended", location, ...about };
}

async function readHint(params: Params, server: AuthorizationServer) {
  const hint = params.get("id_token_hint");
  if (hint === undefined) return undefined;
  const claims = await verifyJwt(hint, await server.keys(), {
    typ: "JWT",
    issuer: server.issuer,
    now: server.now(),
    allowExpired: true,
  });
  if (claims === undefined) throw refuse("id_token_hint");
  return { sid: claims.sid, aud: claims.aud };
}

async function clientOf(
  params: Params,
  hint: { aud: unknown } | undefined,
  server: AuthorizationServer,
): Promise<ClientRecord | undefined> {
  const client_id = params.get("client_id");
  if (client_id !== undefined && hint !== undefined && hint.aud !== client_id) {
    throw refuse("hint_of_other_client", { client_id });
  }
  const known = client_id ?? (typeof hint?.aud === "string" ? hint.aud : undefined);
  const client = known === undefined ? undefined : await findNamedClient(known, { for: "pending" }, server);
  return client !== undefined && isUsable(client) ? client : undefined;
}

interface ReturnAddress {
  readonly location?: string | undefined;
  /** Why the browser does not return where it was asked to. */
  readonly refused?: OAuthError;
}

/**
 * Where the browser goes afterwards: only where the client registered, so that nobody is sent anywhere else
 * (O-3).
 */
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
