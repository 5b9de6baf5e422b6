import { html, type Printable } from "../../html/html.ts";
import { plural } from "./plural.ts";

export const useWords = {
  tabsLabel: "Parts of this app",
  tabs: { overview: "Overview", use: "Quickstart", try: "Playground", checks: "Checks" },
  toMend: plural({ one: (figure) => `${figure} to fix`, other: (figure) => `${figure} to fix` }),
  lead: "Ready to paste, with the values of this app.",
  copyHint:
    "The programs don't contain the secret: they read it from the environment variable OAUTH_CLIENT_SECRET.",
  snippetsOf: { code: "Sign people in", machine: "Get a token for a machine" },
  kinds: {
    environment: "Environment file",
    express: "Node.js with Express",
    fastify: "Node.js with Fastify",
    nextjs: "Next.js with Auth.js",
    browser: "JavaScript with oidc-client-ts",
    react: "React with react-oidc-context",
    fastapi: "Python with FastAPI and Authlib",
    go: "Go with go-oidc",
    spring: "Java with Spring Security",
    dotnet: ".NET with ASP.NET Core",
    php: "PHP with openid-connect-php",
    node_cli: "Node.js in a terminal",
    node: "Node.js with openid-client",
    python: "Python with Requests",
    plain_go: "Go with x/oauth2",
    curl: "A shell with curl",
  },
  hints: {
    environment: "Keep it out of version control.",
    browser: "Serve it at the address of the redirect URI.",
    nextjs:
      "It returns to the fixed address /api/auth/callback/postern: add http://localhost:3000/api/auth/callback/postern to the redirect URIs. If port 3000 is taken, set NEXTAUTH_URL as well.",
    php: "Serve the script at the redirect URI.",
    machine: "Request a new token before the current one expires.",
    shell: "Runs the flow by hand. It needs openssl for the challenge.",
  },
  servedAt: (address: Printable) => html`The command below serves it at ${address}.`,
  run: "Install and run",
  created: "The app is created.",
  credentials: "Credentials",
  secretOnce: "Copy this secret now. You won't see it again.",
  secret: "Client secret",
  api: "Verify the tokens that your API receives",
  noApi:
    "Register the API that this app serves, and add this client ID to the apps of the API. The page of the API and this page then show code that verifies tokens.",
  registerApi: "Register an API",
  endpoints: "Endpoints",
  endpointsHint: "Libraries find all of them through the discovery address.",
  endpoint: {
    issuer: "Issuer",
    discovery: "Discovery",
    authorization_endpoint: "Authorization",
    token_endpoint: "Token exchange",
    userinfo_endpoint: "UserInfo",
    jwks_uri: "Public keys",
    introspection_endpoint: "Introspection",
    revocation_endpoint: "Revocation",
    end_session_endpoint: "Sign-out",
  },
  comments: {
    open: "Open this address in a browser:",
    back: "The address that the browser was sent to:",
    /** Shown if the app has no post-logout redirect URI. */
    unregistered: "register a post-logout redirect URI first",
    paste: "paste-the-secret-here",
  },
  gaps: {
    revoked: "This app was revoked, so it gets no tokens.",
    inactive: "This app is switched off: it gets no tokens until it is active again.",
    no_grants: "No grant is allowed for this app, so there is nothing to show yet.",
    no_redirect_uri: "Users cannot sign in yet: the app has no redirect URI.",
    no_scopes: "The app has no allowed scope, and every request needs one.",
    no_machine_scopes:
      "Without a user the app has no scope to request: openid and offline_access need a user.",
    no_secret: "The app has no active secret to authenticate with.",
    proves_keys:
      "This app needs more than a secret: a signing key or pushed requests. docs/fapi2.md shows a complete client, and postern perform --client-key tries the app.",
    public_machine: "A public app has no secret, so it cannot use client credentials.",
    public:
      "This app is public: it has no secret, and PKCE proves that the code is redeemed by the app that requested it.",
  },
  mend: { edit: "Edit the app", secret: "Create a secret" },
};

export type UseWords = typeof useWords;
