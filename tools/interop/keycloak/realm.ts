/** Creates a realm in a running Keycloak, through its admin API, with everything that the import supports. */
import type { Keycloak } from "./started_keycloak.ts";

type Json = Readonly<Record<string, unknown>>;

export const passwords = {
  ada: ["pbkdf2", 20_000, "ada: correct horse 1"],
  bob: ["pbkdf2-sha256", 27_500, "bob: correct horse 2"],
  cyd: ["pbkdf2-sha512", 210_000, "cyd: correct horse 3"],
  dee: ["argon2", undefined, "dee: correct horse 4"],
} as const;

/** The user with one-time codes. The TOTP key consists of the bytes of `secret`. */
export const otp = { username: "eve", password: "eve: correct horse 5", secret: "HdJ6zGsTq1xY0pLwQeRt" };

export const worker = { clientId: "shop-worker", secret: "shop-worker-secret-of-decent-length" };

export async function makeRealm({ call }: Keycloak): Promise<void> {
  async function user(username: string, password: string, more: Json = {}): Promise<string> {
    const person = { username, email: `${username}@example.com`, emailVerified: true, enabled: true };
    const id = await call("POST", "/shop/users", {
      ...person,
      firstName: username,
      lastName: "Example",
      ...more,
    });
    const credential = { type: "password", value: password, temporary: false };
    await call("PUT", `/shop/users/${id}/reset-password`, credential);
    return id;
  }

  await call("POST", "", { realm: "shop", enabled: true, organizationsEnabled: true });
  const ids: Record<string, string> = {};
  for (const [username, [algorithm, iterations, password]] of Object.entries(passwords)) {
    const rounds = iterations === undefined ? "" : ` and hashIterations(${iterations})`;
    await call("PUT", "/shop", { realm: "shop", passwordPolicy: `hashAlgorithm(${algorithm})${rounds}` });
    ids[username] = await user(username, password);
  }
  const totp = { subType: "totp", digits: 6, counter: 0, period: 30, algorithm: "HmacSHA1" };
  const credential = {
    type: "otp",
    userLabel: "Phone",
    secretData: JSON.stringify({ value: otp.secret }),
    credentialData: JSON.stringify(totp),
  };
  await user(otp.username, otp.password, { credentials: [credential] });
  await call("POST", "/shop/users", { username: "without-address", enabled: true });

  const group = await call("POST", "/shop/groups", { name: "staff" });
  await call("PUT", `/shop/users/${ids.bob}/groups/${group}`);
  await call("POST", "/shop/roles", { name: "cashier" });
  const role: unknown = JSON.parse(await call("GET", "/shop/roles/cashier"));
  await call("POST", `/shop/users/${ids.bob}/role-mappings/realm`, [role]);

  const config = { clientId: "shop.apps", clientSecret: "GOCSPX-not-a-real-secret" };
  await call("POST", "/shop/identity-provider/instances", { alias: "google", providerId: "google", config });
  const account = { identityProvider: "google", userId: "115700000000000000001", userName: "dee" };
  await call("POST", `/shop/users/${ids.dee}/federated-identity/google`, account);

  await call("POST", "/shop/clients", {
    ...{ clientId: "shop-web", secret: "shop-web-secret-of-decent-length" },
    redirectUris: ["https://shop.example/cb", "https://shop.example/old/*"],
  });
  await call("POST", "/shop/clients", {
    ...worker,
    serviceAccountsEnabled: true,
    standardFlowEnabled: false,
  });

  const domains = [{ name: "acme.example", verified: true }];
  const organization = await call("POST", "/shop/organizations", { name: "Acme", alias: "acme", domains });
  await call("POST", `/shop/organizations/${organization}/members`, ids.dee);
}
