/** Signed JWTs that report an event to a receiver (RFC 8417, SSF 1.0 4). */
import { sha256 } from "../../crypto/digest.ts";
import { signJwt } from "../../crypto/jwt.ts";
import { type Control, controlTypes } from "../../records/names/signals.ts";
import type { AuthorizationServer } from "../core/server.ts";
import type { Signal, Stream } from "./signal_of.ts";

/** Returns the `jti` of an event's token in a stream: the same in each attempt, different in each stream. */
export function tokenId({ id }: Pick<Stream, "id">, event_id: string): string {
  return sha256(`${id} ${event_id}`).toString("base64url").slice(0, 22);
}

/** Returns the payload of an event whose subject is the stream itself (SSF 1.0 8.1.4.1). */
export const controlSignal = ({ id }: Pick<Stream, "id">, { type, event }: Control): Signal => ({
  type,
  event,
  sub_id: { format: "opaque", id },
});

/**
 * Returns the signed token. It uses RS256, whatever the app's other tokens use, as the CAEP interoperability
 * profile requires. It has neither `sub` nor `exp`, so it is not accepted as an ID token.
 */
export async function signEventToken(
  jti: string,
  { type, event, sub_id, txn }: Signal,
  client_id: string,
  server: AuthorizationServer,
): Promise<string> {
  const now = server.now();
  const key = (await server.keys()).signingKey(now, "RS256");
  return signJwt(key, "secevent+jwt", {
    iss: server.issuer,
    aud: client_id,
    iat: Math.floor(now.getTime() / 1000),
    jti,
    ...(txn !== undefined && { txn }),
    sub_id,
    events: { [type]: event },
  });
}

const mostControls = 20;

export function withControl(
  { controls }: Pick<Stream, "controls">,
  kind: keyof typeof controlTypes,
  event: Control["event"],
  jti: string,
): readonly Control[] {
  return [...controls, { jti, type: controlTypes[kind], event }].slice(-mostControls);
}
