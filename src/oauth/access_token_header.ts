/** An access token in the header `Authorization` (RFC 6750 2.1, RFC 9449 7.1). */
import { offersFeature } from "./offered.ts";
import type { AuthorizationServer } from "./server.ts";
import type { TokenType } from "./token/authorization.ts";

export interface PresentedToken {
  readonly scheme: TokenType;
  readonly text: string;
}

/** Undefined where the scheme is another; schemes have no case (RFC 9110 11.1). */
export function readAccessToken(
  authorization: string,
  server: AuthorizationServer,
): PresentedToken | "malformed" | undefined {
  const named = /^\w+/.exec(authorization)?.[0].toLowerCase();
  const schemes: readonly TokenType[] = offersFeature(server, "dpop") ? ["Bearer", "DPoP"] : ["Bearer"];
  const scheme = schemes.find((each) => each.toLowerCase() === named);
  if (scheme === undefined) return undefined;
  const text = /^ +([A-Za-z0-9._~+/-]+=*) *$/.exec(authorization.slice(scheme.length))?.[1];
  return text === undefined ? "malformed" : { scheme, text };
}
