import express from "express";
import { createRemoteJWKSet, jwtVerify } from "jose";

/** An API whose callers authenticate with an access token of the issuer. */
export function createApi(issuer) {
  const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", issuer), { cooldownDuration: 0 });
  const api = express();

  api.get("/orders", async (request, response) => {
    const [scheme, token] = (request.headers.authorization ?? "").split(" ");
    try {
      if (scheme !== "Bearer") throw new Error("no token");
      const { payload } = await jwtVerify(token, keys, { issuer, typ: "at+jwt" });
      response.json({ orders: [`an order of ${payload.sub}`] });
    } catch (error) {
      const isOurs = error.code === undefined || /^ERR_J(WT|WS|OSE_ALG|WKS_NO)/.test(error.code);
      if (isOurs) response.status(401).set("www-authenticate", 'Bearer error="invalid_token"').end();
      // The keys could not be fetched: the caller did nothing wrong.
      else response.status(503).set("retry-after", "5").end();
    }
  });
  return api;
}
