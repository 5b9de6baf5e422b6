import { refuse } from "../../refusals/refuse.ts";
import type { ClientAuthenticationMethod } from "../../server.ts";
import { type PresentedSecret, verifySecret, whySecretFailed } from "../client_secret.ts";

/** The secret in the form (RFC 6749 2.3.1). */
export const clientSecretPost: ClientAuthenticationMethod<PresentedSecret> = {
  name: "client_secret_post",
  client_type: "confidential",
  credential: { in: "form", name: "client_secret" },
  present({ params }) {
    const secret = params.get("client_secret");
    if (secret === undefined) return [];
    const client_id = params.get("client_id");
    if (client_id === undefined) throw refuse("client_not_named");
    return [{ client_id, secret }];
  },
  verify: verifySecret,
  whyFailed: whySecretFailed,
};
