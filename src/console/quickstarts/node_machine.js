import * as client from "openid-client";

const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, OAUTH_SCOPE, OAUTH_RESOURCE } = process.env;
const issuer = new URL(OAUTH_ISSUER);

// Plain http is allowed only if the server runs on this machine.
const options = issuer.protocol === "http:" ? { execute: [client.allowInsecureRequests] } : undefined;
const config = await client.discovery(issuer, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, undefined, options);

// Request a new token when this one is about to expire.
const token = await client.clientCredentialsGrant(config, {
  scope: OAUTH_SCOPE,
  ...(OAUTH_RESOURCE && { resource: OAUTH_RESOURCE }),
});
console.log(`access_token: ${token.access_token}`);
console.log(`expires in ${token.expires_in} seconds`);
