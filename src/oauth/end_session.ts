/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0). */
import { verifyJwt } from "../crypto/jwt.ts";
import { OAuthError } from "../errors.ts";
import { type ClientRecord, clientStands } from "../records/client_record.ts";
import { postLogoutRedirectUris } from "../records/metadata.ts";
import type { Requester, SignedIn } from "../records/people.ts";
import { type Params, refuseRepeated } from "./params.ts";
import { withParameters } from "./redirect_uri.ts";
import type { AuthorizationServer } from "./server.ts";

export interface EndSessionInput {
  readonly params: Params;
  readonly signedIn: SignedIn | undefined;
  /** The person has just confirmed on our own page. */
  readonly confirmed: boolean;
  readonly requester: Requester;
}

export type EndSessionOutcome =
  | {
      readonly type: "ask";
      readonly client_name: string | undefined;
      /** What the confirmation brings back. */
      readonly fields: Readonly<Record<string, string>>;
      readonly location: string | undefined;
    }
  | {
      readonly type: "ended";
      readonly location: string | undefined;
      readonly client_name: string | undefined;
    };

const carried = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const;

/**
 * Ends the browser's session, at once only on an `id_token_hint` of this very session, expired ones too; otherwise the
 * person is asked first (design 6.14). Throws an `OAuthError` for the person when the request does not fit together.
 */
export async function endSession(
  input: EndSessionInput,
  server: AuthorizationServer,
): Promise<EndSessionOutcome> {
  const { params, signedIn, confirmed, requester } = input;
  refuseRepeated(params);
  const hint = await readHint(params, server);
  const client = await clientOf(params, hint, server);
  const location = returnAddress(params, client);
  const client_name = client?.app.name;
  if (signedIn === undefined) return { type: "ended", location, client_name };
  if (!confirmed && hint?.sid !== signedIn.session.id) {
    const fields = carried.flatMap((name) => {
      const value = params.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    return { type: "ask", client_name, fields: Object.fromEntries(fields), location };
  }
  await server.store.endSession(signedIn.session.id, server.now());
  server.report({
    type: "sign_out",
    outcome: "success",
    actor: { kind: "user", id: signedIn.user.id },
    target: { table: "sessions", id: signedIn.session.id },
    requester,
  });
  return { type: "ended", location, client_name };
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
  if (claims === undefined)
    throw new OAuthError("invalid_request", "id_token_hint is not an id_token of this server");
  return { sid: claims.sid, aud: claims.aud };
}

async function clientOf(
  params: Params,
  hint: { aud: unknown } | undefined,
  server: AuthorizationServer,
): Promise<ClientRecord | undefined> {
  const client_id = params.get("client_id");
  if (client_id !== undefined && hint !== undefined && hint.aud !== client_id) {
    throw new OAuthError(
      "invalid_request",
      "id_token_hint was issued to another client than client_id names",
    );
  }
  const known = client_id ?? (typeof hint?.aud === "string" ? hint.aud : undefined);
  const client = known === undefined ? undefined : await server.store.findClient(known);
  return client !== undefined && clientStands(client) ? client : undefined;
}

/** Where the browser goes afterwards: only where the client registered, so that nobody is sent anywhere else (O-3). */
function returnAddress(params: Params, client: ClientRecord | undefined): string | undefined {
  const uri = params.get("post_logout_redirect_uri");
  if (uri === undefined) return undefined;
  if (client === undefined) {
    throw new OAuthError(
      "invalid_request",
      "post_logout_redirect_uri needs an id_token_hint or a client_id of a registered client",
    );
  }
  if (!postLogoutRedirectUris(client.app).includes(uri)) {
    throw new OAuthError(
      "invalid_request",
      "post_logout_redirect_uri is not one that is registered for this client",
    );
  }
  const state = params.get("state");
  return state === undefined ? uri : withParameters(uri, { state });
}
