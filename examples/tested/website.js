import { randomUUID } from "node:crypto";
import express from "express";
import * as client from "openid-client";

/** A website that signs users in and shows their orders, which it reads from an API. */
export async function createWebsite({ issuer, client_id, client_secret, redirect_uri, api }) {
  // Plain http is safe only if the server runs on this machine.
  const options = issuer.startsWith("http:") ? { execute: [client.allowInsecureRequests] } : undefined;
  const config = await client.discovery(new URL(issuer), client_id, client_secret, undefined, options);
  config.timeout = 2;

  // Kept in the memory of this process; use a session store in production.
  const sessions = new Map();
  const idOf = (request) => /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1];

  /** Stores the session under a new ID, which prevents session fixation. */
  function keep(request, response, session) {
    const id = randomUUID();
    sessions.delete(idOf(request));
    sessions.set(id, session);
    const secure = redirect_uri.startsWith("https:");
    response.cookie("session", id, { httpOnly: true, sameSite: "lax", secure });
  }

  const ordersWith = (token) => fetch(`${api}/orders`, { headers: { authorization: `Bearer ${token}` } });

  const app = express();

  app.get("/", async (request, response) => {
    const session = sessions.get(idOf(request));
    if (session?.tokens === undefined) return response.send('<a href="/login">Sign in</a>');
    let answer = await ordersWith(session.tokens.access_token);
    if (answer.status === 401) {
      // The access token has expired: get a new one with the refresh token, which is valid once.
      session.tokens = await client.refreshTokenGrant(config, session.tokens.refresh_token);
      answer = await ordersWith(session.tokens.access_token);
    }
    if (!answer.ok) return response.status(503).send("The orders cannot be shown now.");
    const { orders } = await answer.json();
    response.json(orders);
  });

  app.get("/login", async (request, response) => {
    const checks = {
      pkceCodeVerifier: client.randomPKCECodeVerifier(),
      expectedState: client.randomState(),
      expectedNonce: client.randomNonce(),
      idTokenExpected: true,
    };
    keep(request, response, { checks });
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: "openid profile",
      code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: "S256",
      state: checks.expectedState,
      nonce: checks.expectedNonce,
    });
    response.redirect(address.href);
  });

  app.get("/callback", async (request, response) => {
    const { checks } = sessions.get(idOf(request)) ?? {};
    if (checks === undefined) return response.redirect("/login");
    const tokens = await client.authorizationCodeGrant(
      config,
      new URL(request.originalUrl, redirect_uri),
      checks,
    );
    keep(request, response, { tokens });
    response.redirect("/");
  });

  // If the identity provider refuses, the session ends. If it is unavailable, the user may try again.
  app.use((error, request, response, _next) => {
    const refused = error.code === "OAUTH_AUTHORIZATION_RESPONSE_ERROR" || error.error === "invalid_grant";
    if (!refused) return response.status(503).send("Signing in does not work now. Try again.");
    sessions.delete(idOf(request));
    response.status(403).send('You are not signed in. <a href="/login">Sign in</a>');
  });
  return app;
}
