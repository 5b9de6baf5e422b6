import { evidence, fact } from "../../records/names/evidence.ts";
import {
  failed,
  invalidClient,
  invalidRequest,
  missing,
  type Pieces,
  refusalsOf,
  type Texts,
  unauthorizedClient,
} from "./catalogued.ts";

const authentication = (received: string | null, expected?: readonly string[]) =>
  evidence("client_authentication", "client authentication", received, expected);

export interface Credential {
  readonly in: "header" | "form";
  readonly name: string;
}

function wordsFor(credential: Credential): string {
  return credential.in === "header" ? `the ${credential.name} header` : credential.name;
}

export type WhyUnproven = "client_id" | "client_inactive" | "client_authentication" | WhySecretFailed;

export type WhySecretFailed = "client_secret" | "client_secret_expired" | "client_secret_revoked";

export interface Methods {
  readonly methods: readonly string[];
}

/** Refusals of client authentication (RFC 6749 2.3, 5.2). */
export const clientRefusals = {
  client_not_authenticated: invalidClient(failed, ({ methods }: Methods) => authentication(null, methods)),
  client_not_named: invalidClient(failed, missing("client_id")),
  header_not_basic: invalidClient(failed, () =>
    fact("authorization_header", "Authorization", "not_basic", "Basic"),
  ),
  header_without_colon: invalidClient(failed, () =>
    fact("authorization_header", "Authorization", "no_colon", "Basic"),
  ),
  client_public: invalidClient(failed, ({ method, methods }: Methods & Texts<"method">) =>
    authentication(method, methods),
  ),
  client_unproven: invalidClient(failed, ({ why }: { readonly why: () => Pieces<WhyUnproven> }) => why()),
  /** The client was deleted, or its credential has ended since its record was cached. */
  client_ended: invalidClient(failed),
  client_may_not_be_left_out: invalidClient(
    "client authentication is required, but the request contains none",
    () => authentication(null),
  ),
  two_methods: invalidRequest(
    ({ credentials }: Methods & { readonly credentials: readonly Credential[] }) =>
      `the client used two authentication methods: ${credentials.map(wordsFor).join(" and ")}; use one`,
    ({ credentials, methods }) => evidence("two_methods", credentials[1]?.name ?? "", methods),
  ),
  client_id_differs: invalidRequest(
    "client_id does not match the client in the Authorization header",
    ({ client_id }: Texts<"client_id">) => evidence("client_id_differs", "client_id", client_id),
  ),
  /**
   * RFC 6749 5.2 has no code for rate limits; the code of 4.1.2.1 says that a retry can succeed (RFC 6585 4).
   */
  client_throttled: refusalsOf("temporarily_unavailable", 429)(
    "too many attempts with a wrong secret; try again later",
    ({ retry_after }: { retry_after: number }) => evidence("throttled", "Retry-After", String(retry_after)),
    { retry_after: ({ retry_after }) => retry_after },
  ),
  client_assertions_too_many: refusalsOf("temporarily_unavailable", 429)(
    "too many assertions from this client; try again later",
    ({ retry_after }: { retry_after: number }) => evidence("throttled", "Retry-After", String(retry_after)),
    { retry_after: ({ retry_after }) => retry_after },
  ),
  client_credentials_of_none: unauthorizedClient(
    "a public client cannot use the client_credentials grant",
    ({ method, methods }: Methods & Texts<"method">) => authentication(method, methods),
  ),
};
