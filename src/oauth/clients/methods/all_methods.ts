import { type ClientAuthenticationName, clientAuthenticationNames } from "../../../records/names/names.ts";
import type { ClientAuthenticationMethod } from "../../core/server.ts";
import { clientSecretBasic, clientSecretPost } from "./client_secret.ts";
import { none } from "./none.ts";
import { privateKeyJwt } from "./private_key_jwt.ts";

const methods = {
  client_secret_basic: clientSecretBasic,
  client_secret_post: clientSecretPost,
  none,
  private_key_jwt: privateKeyJwt,
} satisfies Record<ClientAuthenticationName, ClientAuthenticationMethod>;

/**
 * The methods that spec 4.5 lists (`token_endpoint_auth_methods_supported`), in its order, and then those
 * that it does not list.
 */
export const allMethods: readonly ClientAuthenticationMethod[] = clientAuthenticationNames.map(
  (name) => methods[name],
);
