/** Keycloak as a broker: mappers of its identity provider turn a role at Acme into roles of the realm. */
import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { redirect_uri } from "../../../test/interop/registrations.ts";
import { challenge, verifier } from "../../../test/support/flows.ts";
import type { Person } from "../../../test/support/form_browser.ts";
import { until } from "../../../test/support/until.ts";
import { startedKeycloak } from "../keycloak/started_keycloak.ts";
import { onPath, type Program } from "./program.ts";
import { demotedAt, member, person, posternFor, secret, signedInAt, withRoles } from "./scenario.ts";

const client_id = "keycloak";
const relyingParty = "reports";
/** The realm's roles that the two kinds of mappers assign. */
const [byRole, byRoleAtAcme] = ["operator", "acme-operator"];

const mappers = [
  { type: "oidc-role-idp-mapper", config: { claim: "roles", "claim.value": "admin", role: byRole } },
  {
    type: "oidc-advanced-role-idp-mapper",
    config: {
      claims: JSON.stringify([
        { key: "organization.slug", value: "acme" },
        { key: "roles", value: "admin" },
      ]),
      role: byRoleAtAcme,
    },
  },
] as const;

export const keycloak: Program = {
  name: "keycloak",
  needs: [onPath("mvn", "Maven on the PATH"), onPath("java", "a JDK on the PATH")],
  async run(context) {
    const { url, call, stop } = await startedKeycloak();
    context.after(stop);
    const realm = `${url}/realms/broker`;
    const served = await posternFor(context, {
      client_id,
      kind: "website",
      secrets: [secret],
      redirect_uris: [`${realm}/broker/postern/endpoint`],
      ...withRoles,
    });

    await call("POST", "", { realm: "broker", enabled: true });
    for (const name of [byRole, byRoleAtAcme]) await call("POST", "/broker/roles", { name });
    await call("POST", "/broker/clients", {
      clientId: relyingParty,
      publicClient: true,
      redirectUris: [redirect_uri],
    });
    await call("POST", "/broker/identity-provider/instances", {
      alias: "postern",
      providerId: "oidc",
      trustEmail: true,
      config: {
        issuer: served.url,
        authorizationUrl: `${served.url}/oauth/authorize`,
        tokenUrl: `${served.url}/oauth/token`,
        userInfoUrl: `${served.url}/oauth/userinfo`,
        jwksUrl: `${served.url}/.well-known/jwks.json`,
        useJwksUrl: "true",
        validateSignature: "true",
        clientId: client_id,
        clientSecret: secret,
        clientAuthMethod: "client_secret_post",
        defaultScope: "openid profile email organization roles",
        pkceEnabled: "true",
        pkceMethod: "S256",
      },
    });
    for (const { type, config } of mappers)
      await call("POST", "/broker/identity-provider/instances/postern/mappers", {
        name: type,
        identityProviderAlias: "postern",
        identityProviderMapper: type,
        config: { syncMode: "FORCE", ...config },
      });

    const mapped = async (who: Person) => {
      const roles = await rolesOf(realm, who);
      return [byRole, byRoleAtAcme].filter((name) => roles.includes(name));
    };
    assert.deepEqual(await mapped(person), [byRole, byRoleAtAcme]);
    assert.deepEqual(await mapped(member), [], "a member without the role got roles of the realm");

    await demotedAt(served);
    await until(async () => (await mapped(person)).length === 0, "a former administrator loses the roles");
  },
};

/** Signs in through the broker, and returns the roles in the access token of a client of the realm. */
async function rolesOf(realm: string, who: Person): Promise<readonly string[]> {
  const endpoint = `${realm}/protocol/openid-connect`;
  const requested = new URLSearchParams({
    client_id: relyingParty,
    redirect_uri,
    response_type: "code",
    scope: "openid",
    code_challenge: challenge,
    code_challenge_method: "S256",
    kc_idp_hint: "postern",
  });
  const { browser, page } = await signedInAt(`${endpoint}/auth?${requested}`, who);
  const { location, body } = await browser.follow(page);
  const code = new URL(location ?? assert.fail(body)).searchParams.get("code") ?? assert.fail(location);
  const answer = await fetch(`${endpoint}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: relyingParty,
      redirect_uri,
      code,
      code_verifier: verifier,
    }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const { realm_access } = decodeJwt<{ realm_access: { roles: string[] } }>(access_token);
  return realm_access.roles;
}
