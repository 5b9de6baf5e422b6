import type { TableName } from "../records/definition/definition.ts";
import type { Field } from "../records/definition/field.ts";

const id = "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a";

const jwk = {
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};

const byName: Readonly<Record<string, unknown>> = {
  email: "ada@example.com",
  name: "Ada",
  slug: "acme",
  role: "developer",
  permissions: ["audit_events:read"],
  provider: "github",
  provider_user_id: "583231",
  client_id: "web-app",
  redirect_uris: ["https://app.example/callback"],
  allowed_scopes: ["openid", "profile", "orders:read"],
  allowed_grants: ["auth_code", "refresh"],
  types: ["user.created", "user.deleted"],
  allowed_response_types: ["code"],
  scopes: ["orders:read"],
  audience: ["https://api.example"],
  key_prefix: "pak_AZqfbnwA",
  secret_prefix: "pcs_AZqfbnwA",
  key_id: "2026-11",
  public_key_pem: "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…\n-----END PUBLIC KEY-----\n",
  acr: "urn:postern:acr:password",
  jwk,
  keys: [{ kid: "2026-11", use: "sig", ...jwk }],
  post_logout_redirect_uris: ["https://app.example/signed-out"],
  default_scopes: ["orders:read"],
  token_endpoint_auth_method: "client_secret_basic",
  kid: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
  public_jwk: { kty: "RSA", n: "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiA…", e: "AQAB" },
  type: "app.created",
  actor_kind: "user",
  actor_id: id,
  target_table: "oauth_apps",
  target_id: id,
  short_id: "7K3M9Q2RTX",
  endpoint: "/oauth/authorize",
  error: "invalid_request",
  evidence: [
    {
      name: "redirect_uri",
      received: "https://app.example/callback/",
      expected: ["https://app.example/callback"],
      kind: "redirect_uri",
    },
  ],
  details: { after: { name: "Orders" } },
  password: "correct horse battery staple",
  access_token: "gho_16C7e42F292c6912E7710c838347Ae178B4a",
  successor: "grace@example.com",
  metadata: { refresh_reuse_window: 10 },
};

const byTable: { readonly [T in TableName]?: Readonly<Record<string, unknown>> } = {
  users: { avatar_url: "https://pictures.example/ada.png" },
  organizations: {
    name: "Acme",
    slug: "acme",
    logo_url: "https://acme.example/logo.png",
    plan: "pro",
    settings: { brand: { name: "Acme", accent: "#0e6655" } },
  },
  providers: { slug: "google", label: "Google", preset: "google", issuer: "https://accounts.google.com" },
  api_keys: { name: "Deployment", scopes: ["postern:users:read"] },
  oauth_apps: {
    name: "Shop",
    description: "Online shop for customers",
    logo_url: "https://shop.example/logo.png",
    redirect_uris: ["https://shop.example/callback"],
    post_logout_redirect_uris: ["https://shop.example/"],
  },
  resources: {
    name: "Orders API",
    identifier: "https://orders.example",
    description: "Orders of the shop",
  },
  service_accounts: { name: "Nightly export", email: "export@acme.example", allowed_scopes: ["orders:read"] },
  events: { type: "user.updated", subject_kind: "user", data: { changed: ["name"] } },
  audit_events: { outcome: "success" },
  refusals: { description: "redirect_uri is not registered for this client" },
};

const byKind: Readonly<Record<Field["kind"], unknown>> = {
  uuid: id,
  string: "text",
  text: "text",
  int: 900,
  long: 4711,
  bool: false,
  time: "2026-11-20T12:00:00.000Z",
  json: null,
  signature: "",
};

/** Returns an example of the field. */
export function exampleOf(
  name: string,
  field: Field,
  table?: TableName,
): { readonly examples?: readonly unknown[] } {
  const own = table === undefined ? undefined : byTable[table];
  if (own !== undefined && Object.hasOwn(own, name)) return { examples: [own[name]] };
  if (field.format === "resource_scopes") return { examples: [{ "orders:read": "See your orders" }] };
  if (Object.hasOwn(byName, name)) return { examples: [byName[name]] };
  if (field.sensitive) return {};
  const otherwise = field.default === undefined ? field.values?.[0] : field.default;
  const usual = field.shape === "strings" ? [] : byKind[field.kind];
  return { examples: [otherwise === undefined ? usual : otherwise] };
}
