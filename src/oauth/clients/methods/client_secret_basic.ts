/** The credentials of an `Authorization: Basic` header (RFC 6749 2.3.1, RFC 7617). */

import { refuse } from "../../refusals/refuse.ts";
import type { ClientAuthenticationMethod, EndpointRequest } from "../../server.ts";
import { type PresentedSecret, verifySecret, whySecretFailed } from "../client_secret.ts";

/** The secret in the Authorization header (RFC 6749 2.3.1). */
export const clientSecretBasic: ClientAuthenticationMethod<PresentedSecret> = {
  name: "client_secret_basic",
  client_type: "confidential",
  credential: { in: "header", name: "Authorization" },
  present: (request) => readBasicCredentials(request).filter(({ secret }) => secret !== ""),
  verify: verifySecret,
  whyFailed: whySecretFailed,
};

export interface BasicCredentials {
  readonly client_id: string;
  /** Empty where nothing is behind the colon. */
  readonly secret: string;
}

/**
 * The credentials form-decoded, and as they were sent where that makes a difference (design 6.19); none
 * without a header. A `client_id` in the form must agree (C-5).
 */
export function readBasicCredentials({
  authorization,
  params,
}: EndpointRequest): readonly BasicCredentials[] {
  if (authorization === undefined) return [];
  const readings = readingsOf(authorization);
  const client_id = params.get("client_id");
  if (client_id === undefined) return readings;
  const agreeing = readings.filter((reading) => reading.client_id === client_id);
  if (agreeing.length > 0) return agreeing;
  throw refuse("client_id_differs", { client_id });
}

function readingsOf(authorization: string): readonly BasicCredentials[] {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization);
  if (match === null) throw refuse("header_not_basic");
  const text = Buffer.from(match[1] ?? "", "base64").toString();
  const colon = text.indexOf(":");
  if (colon === -1) throw refuse("header_without_colon");
  const raw = { client_id: text.slice(0, colon), secret: text.slice(colon + 1) };
  const client_id = formDecoded(raw.client_id);
  const secret = formDecoded(raw.secret);
  if (client_id === undefined || secret === undefined) return [raw];
  const differs = client_id !== raw.client_id || secret !== raw.secret;
  return differs ? [{ client_id, secret }, raw] : [raw];
}

/** Form-decoding of RFC 6749 2.3.1; undefined when the text is not form-encoded. */
function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
