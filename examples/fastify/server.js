import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import fastify from "fastify";
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
const sessionOf = ({ cookies }) => sessions.get(cookies.session) ?? {};

/** Stores the user's data under a new session ID, which prevents session fixation. */
function keep({ cookies }, reply, session) {
  const id = randomUUID();
  sessions.delete(cookies.session);
  sessions.set(id, session);
  const secure = redirectUri.protocol === "https:";
  reply.setCookie("session", id, { path: "/", httpOnly: true, sameSite: "lax", secure });
}

const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const app = fastify();
await app.register(cookie);

app.get("/", async (request, reply) => {
  const { user } = sessionOf(request);
  reply.type("text/html; charset=utf-8");
  if (user === undefined) return '<a href="/login">Sign in</a>';
  return `<p>Signed in as ${escaped(user.name ?? user.sub)}</p><a href="/logout">Sign out</a>`;
});

app.get("/login", async (request, reply) => {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
    idTokenExpected: true,
  };
  keep(request, reply, { checks });
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri.href,
    scope: OAUTH_SCOPE,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: "S256",
    state: checks.expectedState,
    nonce: checks.expectedNonce,
  });
  return reply.redirect(address.href);
});

app.get(redirectUri.pathname, async (request, reply) => {
  const { checks } = sessionOf(request);
  if (checks === undefined) return reply.redirect("/login");
  const address = new URL(request.url, redirectUri);
  const tokens = await client.authorizationCodeGrant(config, address, checks);
  keep(request, reply, { user: tokens.claims(), id_token: tokens.id_token });
  return reply.redirect("/");
});

app.get("/logout", async (request, reply) => {
  const { id_token } = sessionOf(request);
  keep(request, reply, {});
  const parameters = {
    ...(id_token && { id_token_hint: id_token }),
    ...(OAUTH_POST_LOGOUT_REDIRECT_URI && { post_logout_redirect_uri: OAUTH_POST_LOGOUT_REDIRECT_URI }),
  };
  return reply.redirect(client.buildEndSessionUrl(config, parameters).href);
});

const port = Number(process.env.PORT ?? (redirectUri.port || 8080));
await app.listen({ port, host: "127.0.0.1" });
console.log(`Open http://${redirectUri.hostname}:${port}/`);
