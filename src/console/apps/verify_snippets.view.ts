import type { VerifyWords } from "../../web/words/en/verify.ts";
import { command, curlClient, sh } from "./curl_snippets.view.ts";
import { filledQuickstart } from "./quickstart_text.view.ts";
import { js, lines } from "./snippet_parts.view.ts";

export type SnippetApi = {
  issuer: string;
  jwks_uri: string;
  introspection_endpoint: string;
  identifier: string;
  algorithms: readonly string[];
  scope: string | undefined;
  /** Whether the API accepts only DPoP-bound tokens (RFC 9449). */
  bound: boolean;
  /**
   * The client_id of a resource server of the API, which can introspect its tokens. Undefined if the viewer
   * may read no active one that authenticates with a secret.
   */
  client_id: string | undefined;
};

/**
 * Returns a Node module that verifies an access token's signature, issuer, audience, type, times and scope
 * (RFC 9068, section 4).
 */
export function joseVerify(api: SnippetApi, comments: VerifyWords["comments"]): string {
  const { issuer, jwks_uri, identifier, algorithms, scope = "read", bound } = api;
  return lines(
    "// npm install jose",
    'import { createRemoteJWKSet, jwtVerify } from "jose";',
    "",
    `// ${comments.keys}`,
    `const keys = createRemoteJWKSet(new URL(${js(jwks_uri)}));`,
    "",
    `// ${comments.verify}`,
    `//   const claims = await verifyToken(token, ${js(scope)});`,
    "export async function verifyToken(token, scope) {",
    "  const { payload } = await jwtVerify(token, keys, {",
    `    issuer: ${js(issuer)},`,
    `    audience: ${js(identifier)},`,
    '    typ: "at+jwt",',
    `    algorithms: [${algorithms.map(js).join(", ")}],`,
    '    requiredClaims: ["exp", "sub", "client_id"],',
    "  });",
    `  // ${comments.scope}`,
    '  const granted = String(payload.scope ?? "").split(" ");',
    '  if (!granted.includes(scope)) throw new Error("insufficient_scope");',
    bound && [
      `  // ${comments.proof}`,
      '  if (payload.cnf?.jkt === undefined) throw new Error("invalid_token");',
    ],
    "  return payload;",
    "}",
  );
}

/**
 * Returns programs for FastAPI, Go, Spring and .NET that verify the API's access tokens. Empty for an API
 * that requires DPoP, because the programs do not check proofs.
 */
export function verifyPrograms(api: SnippetApi): {
  readonly stack: Exclude<keyof VerifyWords["kinds"], "jose" | "introspection">;
  readonly text: string;
}[] {
  if (api.bound) return [];
  const { issuer, jwks_uri, identifier, algorithms, scope = "read" } = api;
  const values = {
    "http://localhost:3000": issuer,
    "http://localhost:3000/.well-known/jwks.json": jwks_uri,
    "https://api.example.com": identifier,
    read: scope,
    SCOPE_read: `SCOPE_${scope}`,
    RS256: algorithms,
  };
  const programs = [
    ["fastapi", "verify_fastapi.py"],
    ["go", "verify_go.go"],
    // The enum `SignatureAlgorithm` of Spring Security has no EdDSA.
    ...(algorithms.includes("EdDSA") ? [] : ([["spring", "verify_spring.java"]] as const)),
    ["dotnet", "verify_dotnet.cs"],
  ] as const;
  return programs.map(([stack, file]) => ({ stack, text: filledQuickstart(file, values) }));
}

/**
 * Returns a curl command that introspects a token (RFC 7662, section 2.1) as a resource server of the API.
 */
export function curlIntrospect(
  { introspection_endpoint }: SnippetApi,
  client_id: string,
  comments: VerifyWords["comments"],
): string {
  return lines(
    `# ${comments.secret}`,
    ". ./.env",
    `# ${comments.token}`,
    "read -r token",
    command([
      `curl -sS ${sh(introspection_endpoint)}`,
      ...curlClient({ client_id, public: false }),
      '  --data-urlencode "token=$token"',
    ]),
  );
}
