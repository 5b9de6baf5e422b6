import { Router } from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";

/**
 * Orders of several organizations. A caller sees the orders of the token's organization, and approves
 * them if a role grants the scope.
 */
export function createApi({ issuer, audience, client_id, client_secret }) {
  const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", issuer));
  // Kept in the memory of this process, so a restart resets them.
  const orders = [
    { id: 1, organization: "acme", what: "20 anvils", approved: false },
    { id: 2, organization: "acme", what: "1 rocket sledge", approved: false },
    { id: 3, organization: "globex", what: "3 hammocks", approved: false },
  ];

  /**
   * Returns the claims of a valid token. They describe the user at the time when the token was issued. Later
   * changes appear only in the next token.
   */
  async function claimsOf(token) {
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience, typ: "at+jwt" });
      return payload;
    } catch (error) {
      // Other errors mean that the keys could not be fetched.
      if (/^ERR_J(WT|WS|OSE_ALG|WKS_NO)/.test(error.code)) return undefined;
      throw error;
    }
  }

  /**
   * Introspects the token (RFC 7662), which returns the current state: the token of a removed member is
   * inactive, and changed roles apply.
   */
  async function claimsNow(token) {
    const answer = await fetch(new URL("/oauth/introspect", issuer), {
      method: "POST",
      body: new URLSearchParams({ token, client_id, client_secret }),
    });
    if (!answer.ok) throw new Error(`the introspection was answered ${answer.status}`);
    const claims = await answer.json();
    return claims.active && [claims.aud].flat().includes(audience) ? claims : undefined;
  }

  /**
   * Calls the route with the claims of the caller's token, if the token has this scope and is for an
   * organization.
   */
  const withToken = (claimsBy, scope, route) => async (request, response) => {
    const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const claims = token && (await claimsBy(token));
    if (claims === undefined)
      return response.status(401).set("www-authenticate", 'Bearer error="invalid_token"').end();
    const hasScope = claims.scope?.split(" ").includes(scope);
    if (!hasScope || claims.organization === undefined) return response.status(403).end();
    return route(request, response, claims);
  };

  const api = Router();

  // Reading relies on the token only, without a request to the authorization server.
  const list = withToken(claimsOf, "orders:read", (_request, response, { organization, roles }) => {
    const theirs = orders.filter((order) => order.organization === organization.slug);
    // `auditor` is the name of a custom role of an organization.
    const isAuditor = roles?.includes("auditor");
    response.json(
      theirs.map(({ approved_by, ...order }) => ({ ...order, ...(isAuditor && { approved_by }) })),
    );
  });
  api.get("/orders", list);

  // The scope comes from an app role. A role that was removed a moment ago must not count, so the token
  // is introspected.
  const approve = withToken(claimsNow, "orders:approve", (request, response, { organization, sub }) => {
    const order = orders.find(({ id }) => id === Number(request.params.id));
    // An order of another organization gets the same response as an unknown one, so callers cannot find
    // out that it exists.
    if (order?.organization !== organization.slug) return response.status(404).end();
    order.approved = true;
    order.approved_by = sub;
    return response.json(order);
  });
  api.post("/orders/:id/approval", approve);

  return api;
}
