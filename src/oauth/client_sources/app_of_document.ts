/** Codes, tokens and consents refer to the app record that is derived from a client's metadata document. */

import { fieldsOf, type NewRow, type OAuthApp } from "../../records/definition/definition.ts";
import { isUnverifiableRedirect } from "../../records/formats/redirect_uris.ts";
import { clientProofs, openidScopes } from "../../records/names/names.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import { type ClientDocument, securityHash } from "../client_metadata/client_document.ts";

export function columnsOfDocument(document: ClientDocument) {
  const { name, redirect_uris, allowed_grants, jwks, jwks_uri, token_endpoint_auth_method } = document;
  const columns = {
    name,
    redirect_uris,
    allowed_grants,
    jwks,
    jwks_uri,
    token_endpoint_auth_method,
    token_endpoint_auth_signing_alg: document.token_endpoint_auth_signing_alg,
    public: clientProofs[token_endpoint_auth_method] === "none",
    // The redirect URIs decide, not the client's own statement: a native app redirects to the device (RFC
    // 8252 7).
    app_type: redirect_uris.some(isUnverifiableRedirect) ? "native" : "web",
    dpop_bound_access_tokens: document.dpop_bound_access_tokens,
    document_hash: securityHash(document),
    gone_at: null,
  } as const satisfies Partial<OAuthApp>;
  return columns;
}

interface NewApp {
  readonly id: string;
  readonly client_id: string;
  readonly owner_id: string;
  readonly at: Date;
}

export function appOfDocument(document: ClientDocument, { id, client_id, owner_id, at }: NewApp) {
  const app: NewRow<"oauth_apps"> = {
    id,
    client_id,
    owner_id,
    ...columnsOfDocument(document),
    allowed_scopes: openidScopes.filter((scope) => scope !== "offline_access"),
    provenance: "metadata_document",
    created_at: at,
    updated_at: at,
  };
  return app;
}

/** Returns the client as it would be stored after a signed-in user's first request for it. */
export function unstoredClient(document: ClientDocument, made: NewApp): ClientRecord {
  const defaults = Object.entries(fieldsOf("oauth_apps")).map(([name, field]) => [
    name,
    field.default ?? null,
  ]);
  const app = {
    ...(Object.fromEntries(defaults) as OAuthApp),
    ...appOfDocument(document, made),
    unstored: true,
  } as const;
  return { app, organization: undefined, resources: [], secrets: [] };
}
