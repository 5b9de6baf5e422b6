import { tracingChannel } from "node:diagnostics_channel";
import { jwtVerify } from "jose";
import { decodeBase64url } from "./digest.ts";
import { signingAlgorithms } from "./signing_algorithms.ts";
import type { JwtType, KeyRing, SigningKey } from "./signing_keys.ts";

/**
 * The payload of a verified JWT. Of the claims, only `iss`, `exp` (unless `verifyJwt` was called with
 * `allowExpired`) and, if requested, `aud` have been checked.
 */
interface JwtClaims {
  readonly iss: string;
  readonly exp: number;
  readonly [claim: string]: unknown;
}

export const signatures = tracingChannel<object, { readonly algorithm: string }>("postern:signature");

/** Returns a signed JWT in compact form (RFC 7515, section 7.1). */
export function signJwt(key: SigningKey, typ: JwtType, payload: object): Promise<string> {
  const input = key.headers[typ] + Buffer.from(JSON.stringify(payload)).toString("base64url");
  const make = async () => {
    return `${input}.${await key.sign(input)}`;
  };
  return signatures.hasSubscribers ? signatures.tracePromise(make, { algorithm: key.algorithm }) : make();
}

/**
 * Returns the claims of a valid token of this `typ` that this server signed; otherwise undefined (I-4; RFC
 * 8725, section 3). `kid` selects the key, and the key determines the algorithm. `allowExpired` is for
 * `id_token_hint`.
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
        // Each key has one fixed header per `typ`, so a header with any other parameter was not made by this
        // server.
        if (!key || !token.startsWith(key.headers[typ])) throw new Error("not a token of this server");
        return key.publicKey;
      },
      {
        algorithms: [...signingAlgorithms],
        typ,
        issuer,
        requiredClaims: ["exp"],
        // At time zero, no token has expired. This server sets no `nbf`, which would fail at time zero.
        currentDate: allowExpired ? new Date(0) : now,
        ...(audience === undefined ? {} : { audience }),
      },
    );
    return payload as JwtClaims;
  } catch {
    return;
  }
}
