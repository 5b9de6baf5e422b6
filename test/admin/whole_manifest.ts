/** A manifest with a record of every kind. */

export const admin = { email: "root@example.com", name: "Root", is_platform_admin: true };

export function whole() {
  return {
    organizations: [
      { slug: "acme", name: "Acme" },
      { slug: "tiny", name: "Tiny" },
    ],
    users: [admin, { email: "ada@example.com", name: "Ada" }, { email: "bob@example.com", name: "Bob" }],
    memberships: [
      { user: "ada@example.com", organization: "acme", role: "owner" },
      { user: "bob@example.com", organization: "acme", role: "owner" },
      { user: "bob@example.com", organization: "tiny", role: "member" },
    ],
    linked_accounts: [{ user: "bob@example.com", provider: "github", provider_user_id: "7" }],
    api_keys: [{ user: "bob@example.com", name: "deploy" }],
    apps: [
      { client_id: "web", name: "Web", owner: "ada@example.com", secrets: ["one-secret", "two-secret"] },
      { client_id: "shop", name: "Shop", owner: "bob@example.com", organization: "acme" },
    ],
    service_accounts: [
      { email: "ci@acme.example", name: "CI", organization: "acme", created_by: "bob@example.com" },
    ],
    consents: [{ user: "ada@example.com", app: "web", scopes: ["openid"] }],
  };
}
