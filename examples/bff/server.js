/**
 * A backend for frontend (RFC 10017): the browser has only a session cookie, and this server has the
 * tokens. A script that an attacker injects into the page can call this server while the page is open,
 * but cannot steal a token.
 */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import express from "express";
import * as client from "openid-client";

const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, OAUTH_REDIRECT_URI, OAUTH_SCOPE } = process.env;
// The page that users see after signing out. It must be a registered post-logout redirect URI.
const { OAUTH_POST_LOGOUT_REDIRECT_URI } = process.env;
const issuer = new URL(OAUTH_ISSUER);
const redirectUri = new URL(OAUTH_REDIRECT_URI);
const secure = redirectUri.protocol === "https:";

// Plain http is safe only if the server runs on this machine.
const options = issuer.protocol === "http:" ? { execute: [client.allowInsecureRequests] } : undefined;
const config = await client.discovery(issuer, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, undefined, options);

// Kept in the memory of this process; use a session store in production.
const sessions = new Map();
const cookieName = secure ? "__Host-session" : "session";
const cookie = new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`);
const idOf = (request) => cookie.exec(request.headers.cookie ?? "")?.[1];
const sessionOf = (request) => sessions.get(idOf(request)) ?? {};

/** Stores the user's data under a new session ID, which prevents session fixation. */
function keep(request, response, session) {
  const id = randomUUID();
  sessions.delete(idOf(request));
  sessions.set(id, session);
  // Lax, because the browser comes to the callback from another site.
  response.cookie(cookieName, id, { httpOnly: true, sameSite: "lax", secure, path: "/" });
}

const app = express();
app.disable("x-powered-by");
app.use((_request, response, next) => {
  response.set("content-security-policy", "default-src 'self'; frame-ancestors 'none'");
  next();
});

app.get("/bff/login", async (request, response) => {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
    idTokenExpected: true,
  };
  keep(request, response, { checks });
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri.href,
    scope: OAUTH_SCOPE,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: "S256",
    state: checks.expectedState,
    nonce: checks.expectedNonce,
  });
  response.redirect(address.href);
});

app.get(redirectUri.pathname, async (request, response) => {
  const { checks } = sessionOf(request);
  if (checks === undefined) return response.redirect("/bff/login");
  const address = new URL(request.originalUrl, redirectUri);
  const tokens = await client.authorizationCodeGrant(config, address, checks);
  keep(request, response, { user: tokens.claims(), tokens });
  return response.redirect("/");
});

/**
 * Accepts only requests from scripts of this site, which prevents cross-site request forgery. A form on
 * another site cannot send the header `x-csrf`. A script on another site may not send it, because no CORS
 * header allows it.
 */
app.use("/bff", (request, response, next) => {
  const site = request.headers["sec-fetch-site"] ?? "same-origin";
  if (request.headers["x-csrf"] !== "1" || site !== "same-origin") return response.status(403).end();
  response.set("cache-control", "no-store");
  if (sessionOf(request).user === undefined) return response.status(401).end();
  return next();
});

app.get("/bff/user", (request, response) => {
  const { sub, name } = sessionOf(request).user;
  response.json({ sub, name });
});

/** Gets new tokens, once for all waiting requests: a refresh token is valid only once. */
function refreshed(session) {
  session.refreshing ??= client.refreshTokenGrant(config, session.tokens.refresh_token).then((tokens) => {
    session.tokens = { ...session.tokens, ...tokens };
    session.refreshing = undefined;
  });
  return session.refreshing;
}

/** Calls an API for the page with the user's token. */
async function callApi(session, url) {
  const call = () => fetch(url, { headers: { authorization: `Bearer ${session.tokens.access_token}` } });
  const answer = await call();
  if (answer.status !== 401 || session.tokens.refresh_token === undefined) return answer;
  await refreshed(session);
  return call();
}

app.get("/bff/profile", async (request, response) => {
  const session = sessionOf(request);
  try {
    const answer = await callApi(session, config.serverMetadata().userinfo_endpoint);
    return response.status(answer.status).json(answer.ok ? await answer.json() : {});
  } catch (error) {
    if (error.error !== "invalid_grant") throw error;
    // The grant was revoked, so the user has to sign in again.
    sessions.delete(idOf(request));
    return response.status(401).end();
  }
});

app.post("/bff/logout", (request, response) => {
  const { tokens } = sessionOf(request);
  sessions.delete(idOf(request));
  response.clearCookie(cookieName, { httpOnly: true, sameSite: "lax", secure, path: "/" });
  const continue_at = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token,
    ...(OAUTH_POST_LOGOUT_REDIRECT_URI && { post_logout_redirect_uri: OAUTH_POST_LOGOUT_REDIRECT_URI }),
  });
  response.json({ continue_at: continue_at.href });
});

for (const [path, file] of [
  ["/", "index.html"],
  ["/main.js", "main.js"],
])
  app.get(path, (_request, response) => response.sendFile(fileURLToPath(import.meta.resolve(`./${file}`))));

const port = Number(process.env.PORT ?? (redirectUri.port || 8080));
app.listen(port, "127.0.0.1", () => console.log(`Open http://${redirectUri.hostname}:${port}/`));
