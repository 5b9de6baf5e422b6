import { randomUUID } from "node:crypto";
import express from "express";
import * as client from "openid-client";
import { createApi } from "./api.js";

const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, OAUTH_REDIRECT_URI, OAUTH_SCOPE } = process.env;
const { OAUTH_POST_LOGOUT_REDIRECT_URI, API_CLIENT_ID, API_CLIENT_SECRET } = process.env;
const issuer = new URL(OAUTH_ISSUER);
const redirectUri = new URL(OAUTH_REDIRECT_URI);
/** The identifier of the API's record, which is also its address. */
const audience = new URL("/api", redirectUri).href;

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
  // Lax: browsers do not send this cookie with forms that other sites submit.
  const secure = redirectUri.protocol === "https:";
  response.cookie("session", id, { httpOnly: true, sameSite: "lax", secure });
}

const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const app = express();

app.use(
  "/api",
  createApi({ issuer: OAUTH_ISSUER, audience, client_id: API_CLIENT_ID, client_secret: API_CLIENT_SECRET }),
);

const callApi = (path, { access_token }, method = "GET") =>
  fetch(`${audience}${path}`, { method, headers: { authorization: `Bearer ${access_token}` } });

app.get("/", async (request, response) => {
  const { user, tokens } = sessionOf(request);
  if (user === undefined) return response.send('<a href="/login">Sign in</a>');
  const answer = await callApi("/orders", tokens);
  if (answer.status === 401) return response.redirect("/login");
  const orders = await answer.json();
  const items = orders.map(({ id, what, approved, approved_by }) => {
    const state = approved
      ? `approved${approved_by ? ` by ${escaped(approved_by)}` : ""}`
      : `<form method="post" action="/orders/${id}/approval"><button>Approve</button></form>`;
    return `<li>${escaped(what)}: ${state}</li>`;
  });
  const { organization, roles = [] } = user;
  return response.send(`<h1>${escaped(organization.name)}</h1>
<p>Signed in as ${escaped(user.name ?? user.sub)}, ${escaped(roles.join(", "))}</p>
<ul>${items.join("")}</ul>
<p><a href="/login">Switch organization</a> <a href="/logout">Sign out</a></p>`);
});

app.post("/orders/:id/approval", async (request, response) => {
  const { tokens } = sessionOf(request);
  if (tokens === undefined) return response.redirect(303, "/login");
  const answer = await callApi(`/orders/${Number(request.params.id)}/approval`, tokens, "POST");
  if (answer.status === 403)
    return response.status(403).send('Your roles do not include approving. <a href="/">Back</a>');
  if (answer.status === 401) return response.redirect(303, "/login");
  return response.redirect(303, "/");
});

// `/login?organization=acme` is for links to the data of one organization. Without the parameter, Postern
// asks users with several organizations to choose one.
app.get("/login", async (request, response) => {
  const { organization } = request.query;
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
    idTokenExpected: true,
  };
  keep(request, response, { ...sessionOf(request), checks });
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri.href,
    scope: OAUTH_SCOPE,
    resource: audience,
    ...(typeof organization === "string" && { organization }),
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
  keep(request, response, { user: tokens.claims(), tokens });
  return response.redirect("/");
});

app.get("/logout", (request, response) => {
  const { tokens } = sessionOf(request);
  keep(request, response, {});
  const parameters = {
    ...(tokens && { id_token_hint: tokens.id_token }),
    ...(OAUTH_POST_LOGOUT_REDIRECT_URI && { post_logout_redirect_uri: OAUTH_POST_LOGOUT_REDIRECT_URI }),
  };
  response.redirect(client.buildEndSessionUrl(config, parameters).href);
});

// Postern returns an error, such as `access_denied` for a user without a membership.
app.use((error, _request, response, next) => {
  if (error.code !== "OAUTH_AUTHORIZATION_RESPONSE_ERROR") return next(error);
  return response.status(403).send(`${escaped(error.error_description)} <a href="/login">Try again</a>`);
});

const port = Number(process.env.PORT ?? (redirectUri.port || 8080));
app.listen(port, "127.0.0.1", () => console.log(`Open http://${redirectUri.hostname}:${port}/`));
