/** The registrations of clients that the tests of this folder create on their servers. */

export const ada = {
  email: "ada@example.com",
  name: "Ada Lovelace",
  password: "correct horse battery staple",
} as const;

/** No program listens at this address, because the browser of these tests stops at the redirect. */
export const redirect_uri = "http://127.0.0.1:9/cb";
export const post_logout_redirect_uri = "http://127.0.0.1:9/signed-out";

/**
 * Identifiers and secrets that only work if client and server both encode them as RFC 6749 2.3.1 requires.
 */
export const web = {
  client_id: "web: 100% & +more",
  secret: "p:a%3A+ss&w=ö rd é :%+& of the web client",
} as const;
export const second = { client_id: "second", secret: "the second client's secret, also of the web" } as const;
export const machine = { client_id: "machine", secret: "a machine's secret of decent length" } as const;
export const orders = { client_id: "orders-api", secret: "the resource server's own secret" } as const;
export const spa = { client_id: "spa" } as const;
export const native = { client_id: "native" } as const;
export const firstParty = {
  client_id: "first-party",
  secret: "the first party's secret, long enough",
} as const;

const scopes = ["openid", "profile", "email", "offline_access", "orders:read"];
const owner = ada.email;
const usual = {
  owner,
  redirect_uris: [redirect_uri],
  allowed_scopes: scopes,
  post_logout_redirect_uris: [post_logout_redirect_uri],
};

export const manifest = {
  organizations: [{ slug: "acme", name: "Acme" }],
  users: [ada, { email: "grace@example.com", name: "Grace", password: "another battery horse staple" }],
  apps: [
    { ...usual, client_id: web.client_id, name: "Web", secrets: [web.secret] },
    { ...usual, client_id: second.client_id, name: "Second", secrets: [second.secret] },
    {
      ...usual,
      client_id: firstParty.client_id,
      name: "First Party",
      first_party: true,
      secrets: [firstParty.secret],
    },
    { ...usual, client_id: spa.client_id, name: "Shop", app_type: "spa", public: true },
    { ...usual, client_id: native.client_id, name: "Native", app_type: "native", public: true },
    {
      owner,
      client_id: machine.client_id,
      name: "Machine",
      app_type: "machine",
      allowed_scopes: ["orders:read", "orders:write"],
      allowed_grants: ["client_credentials"],
      secrets: [machine.secret],
    },
    {
      owner,
      client_id: orders.client_id,
      name: "Orders API",
      app_type: "service",
      allowed_scopes: ["token:introspect"],
      allowed_grants: ["client_credentials"],
      secrets: [orders.secret],
    },
  ],
};
