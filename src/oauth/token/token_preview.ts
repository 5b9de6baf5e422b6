/**
 * Previews the claims of ID token, access token, userinfo and introspection (OC-3, OC-7). The functions that
 * issue tokens compute them, but nothing is issued, signed or stored.
 */
import type { ApiResource, User } from "../../records/definition/definition.ts";
import { emits } from "../../records/formats/claim_surfaces.ts";
import { stateOfSwitch } from "../../records/names/liveness.ts";
import { type ClaimSurface, claimSurfaces, membershipScopes } from "../../records/names/names.ts";
import type {
  Absence,
  PreviewedClaim,
  TokenPreview,
  TokenRefusal,
} from "../../records/names/token_preview.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { Member } from "../../records/rules/member.ts";
import { mayUse } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import {
  type AttributeReads,
  attributeClaims,
  claimedAttributes,
  recordClaims,
} from "../organizations/claims.ts";
import {
  knowsOrganizations,
  type MembershipReads,
  maySignIn,
  scopesOfRoles,
} from "../organizations/context.ts";
import { defaultAudience, isForThisServer } from "../resources/audience.ts";
import { allowedScopes, scopesWithin } from "../resources/requested.ts";
import { claimsInIdToken, userClaims } from "./id_token.ts";
import { accessTokenClaims, type Claimed, claimedBy } from "./issue_tokens.ts";

/** The token to preview, as if the user had consented to it. */
export interface PreviewRequest {
  readonly client: ClientRecord;
  /** Undefined for a token that the app requests for itself. */
  readonly user: User | undefined;
  readonly member: Member | undefined;
  readonly choices?: readonly string[] | undefined;
  readonly is_outsider?: boolean | undefined;
  /** Undefined means all scopes that the app may request. */
  readonly scopes: readonly string[] | undefined;
  readonly resources: readonly ApiResource[];
}

type PreviewServer = Pick<AuthorizationServer, "settings"> & AttributeReads & MembershipReads;

const setAtIssue: Readonly<Record<ClaimSurface, readonly string[]>> = {
  id_token: ["exp", "iat", "at_hash", "auth_time", "acr", "amr", "sid"],
  userinfo: [],
  access_token: ["exp", "iat", "jti"],
  introspection: ["exp", "iat"],
};

const scopeOfUserClaim = {
  name: "profile",
  picture: "profile",
  updated_at: "profile",
  email: "email",
  email_verified: "email",
};

export async function previewTokens(request: PreviewRequest, server: PreviewServer): Promise<TokenPreview> {
  const { client, user, member, resources } = request;
  const allowed = allowedScopes(client, resources).filter((name) => user !== undefined || !isOfUser(name));
  const requested = request.scopes ?? allowed;
  const available = scopesWithin([...new Set(requested)], resources, client.app).filter((name) =>
    allowed.includes(name),
  );
  const bound = { resources, member, app: client.app };
  const scopes = user === undefined ? available : scopesOfRoles(available, bound);
  const usual = defaultAudience(client, scopes, server);
  const claimed: Claimed = {
    client,
    user,
    member,
    granted_scopes: scopes,
    audience: resources.length > 0 ? resources.map(({ identifier }) => identifier) : usual.audience,
    resources: resources.length > 0 ? resources : usual.resources,
    authentication: undefined,
  };
  const isRoleLacking = scopes.length === 0 && available.length > 0;
  const not_issued =
    (await refusalOf(request, server)) ?? (isRoleLacking ? ("app_role_lacking" as const) : undefined);
  const claims = await Promise.all(
    claimSurfaces.map(
      async (surface) =>
        [
          surface,
          not_issued === undefined ? await explained(claimed, allowed, surface, server) : [],
        ] as const,
    ),
  );
  return {
    ...(not_issued && { not_issued }),
    ...(not_issued === "organization_not_chosen" && request.choices && { organizations: request.choices }),
    scopes,
    refused_scopes: requested.filter((name) => !scopes.includes(name)),
    audience: claimed.audience,
    claims: Object.fromEntries(claims) as TokenPreview["claims"],
  };
}

async function refusalOf(
  { client: { app }, user, member, choices, is_outsider }: PreviewRequest,
  server: PreviewServer,
): Promise<TokenRefusal | undefined> {
  if (stateOfSwitch(app) !== "active") return "app_inactive";
  if (user === undefined) return mayUse(app, "client_credentials") ? undefined : "grant_not_allowed";
  if (stateOfSwitch(user) !== "active") return "user_inactive";
  if (is_outsider) return "not_member";
  if (choices !== undefined) return "organization_not_chosen";
  if (app.organization_mode === "required" && member === undefined) return "organization_lacking";
  return (await maySignIn(user, app, server, member)) ? undefined : "not_admitted";
}

const isOfUser = (scope: string): boolean =>
  ["openid", "profile", "email", "phone", "offline_access", ...membershipScopes].includes(scope);

async function presentClaims(
  claimed: Claimed,
  surface: ClaimSurface,
  server: PreviewServer,
): Promise<Readonly<Record<string, unknown>>> {
  const { client, user, granted_scopes } = claimed;
  const isOfUserAlone = surface === "id_token" || surface === "userinfo";
  if (isOfUserAlone && (user === undefined || !granted_scopes.includes("openid"))) return {};
  if (surface === "userinfo" && !isForThisServer(claimed.audience, server.issuer)) return {};
  const records = recordClaims(
    isOfUserAlone ? { ...claimedBy(claimed), resources: [] } : claimedBy(claimed),
    surface,
    server,
  );
  if (surface === "access_token") {
    const {
      exp: _,
      iat: __,
      jti: ___,
      ...rest
    } = await accessTokenClaims(claimed, { id: "", iat: 0, exp: 0, cnf: null }, server);
    return rest;
  }
  if (surface === "introspection")
    return {
      active: true,
      scope: granted_scopes.join(" "),
      client_id: client.app.client_id,
      ...(user !== undefined && { username: user.email }),
      token_type: "Bearer",
      sub: user?.id ?? client.app.id,
      aud: claimed.audience,
      ...(await records),
    };
  if (user === undefined) return {};
  if (surface === "userinfo")
    return { sub: user.id, ...userClaims(granted_scopes, user), ...(await records) };
  return {
    iss: server.issuer,
    sub: user.id,
    aud: client.app.client_id,
    ...claimsInIdToken(client.app, granted_scopes, user),
    ...(await records),
  };
}

async function explained(
  claimed: Claimed,
  allowed: readonly string[],
  surface: ClaimSurface,
  server: PreviewServer,
): Promise<readonly PreviewedClaim[]> {
  const present = await presentClaims(claimed, surface, server);
  if (Object.keys(present).length === 0) return [];
  const { app } = claimed.client;
  const { granted_scopes: scopes, user, member } = claimed;
  const candidates: PreviewedClaim[] = [];
  const lacking = (releasing: readonly string[]): Absence =>
    releasing.some((name) => allowed.includes(name)) ? "scope_not_requested" : "scope_not_allowed";
  const isReleased = (releasing: readonly string[]) =>
    releasing.length === 0 || releasing.some((name) => scopes.includes(name));

  if (user !== undefined && (surface === "id_token" || surface === "userinfo"))
    for (const [claim, scope] of Object.entries(scopeOfUserClaim)) {
      const absent = !isReleased([scope])
        ? lacking([scope])
        : surface === "id_token" && !app.claims_in_id_token
          ? "not_in_claims_of_app"
          : "value_empty";
      candidates.push({ claim, source: "user", scopes: [scope], absent });
    }
  for (const claim of user === undefined ? [] : membershipScopes) {
    const absent = !knowsOrganizations(app)
      ? "organization_mode_none"
      : member === undefined
        ? "no_organization"
        : !isReleased([claim])
          ? lacking([claim])
          : !emits(app, claim, surface)
            ? "not_in_claims_of_app"
            : claimed.resources.some((each) => !emits(each, claim, surface))
              ? "not_in_claims_of_api"
              : "too_large";
    candidates.push({ claim, source: "membership", scopes: [claim], absent });
  }
  const of = claimedBy(claimed);
  const attributes = attributeClaims(of, surface, await claimedAttributes(of, surface, server));
  for (const { attribute, claim, absent } of attributes) {
    const why: Absence =
      absent === "scope_lacking"
        ? lacking(attribute.scopes)
        : absent === "value_lacking"
          ? "value_empty"
          : (absent ?? "too_large");
    candidates.push({ claim, source: "attribute", scopes: attribute.scopes, absent: why });
  }
  const told = Object.entries(present).map(([claim, value]): PreviewedClaim => {
    const { absent: _, ...known } = candidates.find((each) => each.claim === claim) ?? {
      claim,
      source: "protocol",
    };
    return { ...known, value };
  });
  const atIssue = setAtIssue[surface].map(
    (claim): PreviewedClaim => ({ claim, source: "protocol", set_at_issue: true }),
  );
  return [...told, ...atIssue, ...candidates.filter(({ claim }) => !Object.hasOwn(present, claim))];
}
