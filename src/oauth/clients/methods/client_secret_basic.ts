import type { ClientAuthenticationMethod } from "../../server.ts";
import { readBasicCredentials } from "../basic_credentials.ts";
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
