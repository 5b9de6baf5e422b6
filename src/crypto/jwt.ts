import { tracingChannel } from "node:diagnostics_channel";
import { jwtVerify } from "jose";
import { decodeBase64url } from "./digest.ts";
import { signingAlgorithms } from "./signing_algorithms.ts";
import type { JwtType, KeyRing, SigningKey } from "./signing_keys.ts";

/** Apart from `iss` and `exp`, the caller checks the claims that it needs (RFC 7519, section 4). */
interface JwtClaims {
  readonly iss: string;
  /** Unix seconds. */
  readonly exp: number;
  readonly [claim: string]: unknown;
}

/**
 * A diagnostics channel with an event when a signature begins and another when it is complete. Without a
 * subscriber, the channel costs nothing.
 */
export const signatures = tracingChannel<object, { readonly algorithm: string }>("postern:signature");

/**
 * Returns a JWS in compact form (RFC 7515, section 7.1) over `payload` as JSON, signed with the key's
 * algorithm. Uses a prepared header, so the signature is nearly the whole cost of a token.
 */
export function signJwt(key: SigningKey, typ: JwtType, payload: object): Promise<string> {
  const input = key.headers[typ] + Buffer.from(JSON.stringify(payload)).toString("base64url");
  const make = async () => {
    return `${input}.${await key.sign(input)}`;
  };
  return signatures.hasSubscribers ? signatures.tracePromise(make, { algorithm: key.algorithm }) : make();
}

/**
 * Returns the claims of a token that this server signed, or undefined for any other string; never throws
 * (I-4; RFC 8725, section 3). The key is looked up in the server's key ring by `kid` only, and the algorithm
 * is the key's, regardless of the header. If `audience` is given, `aud` must contain it. `allowExpired` is
 * for `id_token_hint` (OpenID Connect RP-Initiated Logout 1.0, section 2).
 */
export async function verifyJwt(
  token: string,
  ring: KeyRing,
  options: { typ: JwtType; issuer: string; now: Date; audience?: string; allowExpired?: boolean },
): Promise<JwtClaims | undefined> {
  const { typ, issuer, now, audience, allowExpired = false } = options;
  if (token.length > 8192 || !token.split(".").every(decodeBase64url)) return;
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = kid === undefined ? undefined : ring.find(kid);
        // Each key has one fixed header per `typ`. A header with any other parameter (crit, jku, jwk, x5u)
        // was not made by this server.
        if (!key || !token.startsWith(key.headers[typ])) throw new Error("not a token of this server");
        return key.publicKey;
      },
      {
        algorithms: [...signingAlgorithms],
        typ,
        issuer,
        requiredClaims: ["exp"],
        // At time zero nothing has expired. A token with `nbf`, which this server never sets, would be
        // rejected.
        currentDate: allowExpired ? new Date(0) : now,
        ...(audience === undefined ? {} : { audience }),
      },
    );
    return payload as JwtClaims;
  } catch {
    return;
  }
}
