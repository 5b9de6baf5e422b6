import { once } from "node:events";
import { createServer } from "node:http";
import * as client from "openid-client";

const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, OAUTH_REDIRECT_URI, OAUTH_SCOPE } = process.env;
const issuer = new URL(OAUTH_ISSUER);
const redirectUri = new URL(OAUTH_REDIRECT_URI);

// Plain http is allowed only if the server runs on this machine.
const options = issuer.protocol === "http:" ? { execute: [client.allowInsecureRequests] } : undefined;
const config = await client.discovery(issuer, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, undefined, options);

// A redirect URI for 127.0.0.1 without a port accepts any port (RFC 8252, section 7.3).
const server = createServer().listen(Number(redirectUri.port), redirectUri.hostname.replace(/[[\]]/g, ""));
await once(server, "listening");
redirectUri.port = String(server.address().port);

const checks = {
  pkceCodeVerifier: client.randomPKCECodeVerifier(),
  expectedState: client.randomState(),
  expectedNonce: client.randomNonce(),
  idTokenExpected: true,
};
const address = client.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri.href,
  scope: OAUTH_SCOPE,
  code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
  code_challenge_method: "S256",
  state: checks.expectedState,
  nonce: checks.expectedNonce,
});
console.log(`Open in a browser: ${address.href}`);

let back;
do {
  const [request, response] = await once(server, "request");
  back = new URL(request.url, redirectUri);
  response.setHeader("connection", "close").end("You can close this window.\n");
} while (back.pathname !== redirectUri.pathname);
server.close();

const tokens = await client.authorizationCodeGrant(config, back, checks);
const { name, sub } = tokens.claims();
console.log(`Signed in as ${name ?? sub}`);
