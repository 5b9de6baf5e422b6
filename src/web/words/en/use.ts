/** How an app is used from code. */
export const useWords = {
  tabsLabel: "Parts of this app",
  tabs: { overview: "Overview", use: "Use it", try: "Try it", checks: "Checks" },
  title: "Use it from code",
  lead: "Ready to paste, with the values of this app.",
  copyHint:
    "The secret stands in none of them: each reads it from the environment variable OAUTH_CLIENT_SECRET.",
  snippetsOf: { code: "Sign people in", machine: "Get a token for a machine" },
  kinds: {
    environment: "Environment file",
    openid_client: "JavaScript with openid-client",
    oauth4webapi: "JavaScript with oauth4webapi",
    curl: "A shell with curl",
  },
  hints: {
    environment: "Keep it out of version control.",
    browser:
      "For the page at the redirect URI: it sends the browser away at first, and takes the answer when it comes back.",
    terminal:
      "Prints an address to open in a browser, and takes the address that the browser is sent to. In an application, the two halves are two routes.",
    machine: "Whenever the token is about to expire, ask for another.",
    shell: "To see the flow by hand; it needs openssl for the challenge.",
  },
  endpoints: "Endpoints",
  endpointsHint: "Libraries find them all by the discovery address.",
  endpoint: {
    issuer: "Issuer",
    discovery: "Discovery",
    authorization_endpoint: "Authorization",
    token_endpoint: "Token exchange",
    userinfo_endpoint: "Who signed in",
    jwks_uri: "Public keys",
    introspection_endpoint: "Introspection",
    revocation_endpoint: "Revocation",
    end_session_endpoint: "Sign-out",
  },
  comments: {
    install: "Install it, and run it:",
    installWithSecret: "Install it, and run it with the environment file:",
    insecure: "Plain http is for a server on this machine alone.",
    discover: "Once, when the application starts.",
    leave: "Before the browser leaves: keep these in the session of the person who signs in.",
    leaveInBrowser: "Before the browser leaves: keep these where the page finds them again.",
    open: "Open this address in a browser:",
    back: "The address that the browser was sent to:",
    return: "When the browser is back: check the answer and exchange the code.",
    who: "Who signed in.",
    machine: "No person takes part; ask again when the token expires.",
    paste: "paste-the-secret-here",
  },
  gaps: {
    revoked: "This app was revoked: it gets no tokens any more.",
    inactive: "This app is switched off: it gets no tokens until it is active again.",
    no_grants: "No grant is allowed for this app, so there is nothing to show yet.",
    no_redirect_uri: "Nobody can sign in yet: the app has no redirect URI.",
    no_scopes: "The app is allowed no scope, and every request must ask for one.",
    no_machine_scopes:
      "Without a person the app may ask for nothing: openid and offline_access are about people.",
    no_secret: "The app has no live secret to prove itself with.",
    proves_keys:
      "This app needs more than a secret: keys that it signs with, or requests that it pushes. docs/fapi2.md shows such a client whole, and postern perform --client-key tries it.",
    public_machine: "A public app has no secret, so that it cannot use client credentials.",
    public:
      "This app is public: it has no secret, and PKCE proves that the code is redeemed by the app that asked for it.",
  },
  mend: { edit: "Edit the app", secret: "Make a secret" },
};

export type UseWords = typeof useWords;
