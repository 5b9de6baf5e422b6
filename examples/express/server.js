import { randomUUID } from "node:crypto";
import express from "express";
import * as client from "openid-client";

const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, OAUTH_REDIRECT_URI, OAUTH_SCOPE } = process.env;
// The page that users see after signing out. It must be a registered post-logout redirect URI.
const { OAUTH_POST_LOGOUT_REDIRECT_URI } = process.env;
const issuer = new URL(OAUTH_ISSUER);
const redirectUri = new URL(OAUTH_REDIRECT_URI);

// Plain http is safe only if the server runs on this machine.
const options = issuer.protocol === "http:" ? { execute: [client.allowInsecureRequests] } : undefined;
const config = await client.discovery(issuer, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, undefined, options);

// Kept in the memory of this process; use a session store in production.
const sessions = new Map();
const idOf = (request) => /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1];
const sessionOf = (request) => sessions.get(idOf(request)) ?? {};

/** Stores the user's data under a new session ID, which prevents session fixation. */
function keep(request, response, session) {
  const id = randomUUID();
  sessions.delete(idOf(request));
  sessions.set(id, session);
  response.cookie("session", id, {
    httpOnly: true,
    sameSite: "lax",
    secure: redirectUri.protocol === "https:",
  });
}

const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const app = express();

app.get("/", (request, response) => {
  const { user } = sessionOf(request);
  if (user === undefined) response.send('<a href="/login">Sign in</a>');
  else response.send(`<p>Signed in as ${escaped(user.name ?? user.sub)}</p><a href="/logout">Sign out</a>`);
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
  if (checks === undefined) return response.redirect("/login");
  const address = new URL(request.originalUrl, redirectUri);
  const tokens = await client.authorizationCodeGrant(config, address, checks);
  keep(request, response, { user: tokens.claims(), id_token: tokens.id_token });
  response.redirect("/");
});

app.get("/logout", (request, response) => {
  const { id_token } = sessionOf(request);
  keep(request, response, {});
  const parameters = {
    ...(id_token && { id_token_hint: id_token }),
    ...(OAUTH_POST_LOGOUT_REDIRECT_URI && { post_logout_redirect_uri: OAUTH_POST_LOGOUT_REDIRECT_URI }),
  };
  response.redirect(client.buildEndSessionUrl(config, parameters).href);
});

const port = Number(process.env.PORT ?? (redirectUri.port || 8080));
app.listen(port, "127.0.0.1", () => console.log(`Open http://${redirectUri.hostname}:${port}/`));
