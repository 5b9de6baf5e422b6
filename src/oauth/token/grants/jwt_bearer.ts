import { assertionKeyOf, verifyAssertion } from "../../../crypto/assertions.ts";
import { OAuthError } from "../../../errors.ts";
import type {
  Organization,
  ServiceAccount,
  ServiceAccountKeyPair,
} from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import { isUuid } from "../../../records/formats/check.ts";
import { findByEmail } from "../../../records/names/email.ts";
import { nilUuid } from "../../../records/names/ids.ts";
import { isActive, stateOfCredential } from "../../../records/names/liveness.ts";
import { builtInClientId, grantNames } from "../../../records/names/names.ts";
import type { AssertionOutcome } from "../../../storage/tokens/assertions.ts";
import { type GrantAssertion, readGrantAssertion } from "../../assertions/grant_assertion.ts";
import { onceKeyOfAssertion } from "../../assertions/read_assertion.ts";
import { builtInClient } from "../../client_sources/built_in_app.ts";
import { type Params, required } from "../../core/params.ts";
import { rulesFor } from "../../core/rules_for.ts";
import type { AuthenticatedClient, AuthorizationServer, Grant } from "../../core/server.ts";
import { type RefusalKind, refuse } from "../../refusals/refuse.ts";
import {
  isAboutUser,
  machineDefaultScopes,
  narrowScopes,
  readScopes,
  refuseUserScopes,
} from "../../resources/requested.ts";
import { machineAuthorization } from "./client_credentials.ts";

/** A service account redeems an assertion that it signed (RFC 7523 2.1, design 6.22). */
export const jwtBearer: Grant = {
  grant_type: grantNames.jwt_bearer,
  allowed_as: "jwt_bearer",
  statistic: "tokens_machine",
  replay_event: undefined,
  defaultClient: builtInClient,
  async validate(params, client, server, origin) {
    const text = required(params, "assertion");
    const seen: Seen = {};
    try {
      const assertion = readGrantAssertion(text, rulesFor(client.app, server), server.issuer, server.now());
      const { account, key } = await identify(assertion, seen, server);
      const scopes = grantedScopes(params, client, account);
      return {
        ...(await machineAuthorization(params, client, scopes, server, account)),
        service_account: {
          id: account.id,
          key_pair_id: key.id,
          organization_id: account.organization_id,
        },
        commit: {
          kind: "assertion",
          account,
          key_pair_id: key.id,
          ...onceKeyOfAssertion(account.id, assertion),
        },
      };
    } catch (error) {
      throw reported(error, seen, server, origin);
    }
  },
};

type KnownAccount = ServiceAccount & { readonly organization: Organization | undefined };

interface Seen {
  named?: { readonly id: string };
  proven?: { readonly id: string };
}

/** A refused assertion is a failed authentication of a service account, and is reported as one (H-8). */
function reported(
  error: unknown,
  { named, proven }: Seen,
  server: AuthorizationServer,
  origin: RequestOrigin,
): unknown {
  if (error instanceof OAuthError && error.code === "invalid_grant") {
    server.report({
      type: "service_account_authentication",
      outcome: "failure",
      actor: proven === undefined ? { kind: "anonymous" } : { kind: "service_account", id: proven.id },
      ...(named !== undefined && { target: { table: "service_accounts", id: named.id } }),
      origin,
      details: { reason: error.description },
    });
  }
  return error;
}

/** Only the holder of the private key sees detailed errors. */
async function identify(
  assertion: GrantAssertion,
  seen: Seen,
  server: AuthorizationServer,
): Promise<{ account: KnownAccount; key: ServiceAccountKeyPair }> {
  const { store } = server;
  const account = await findAccount(assertion.account, server);
  if (account !== undefined) seen.named = account;
  const key = await store.find("service_account_key_pairs", {
    service_account_id: account?.id ?? nilUuid,
    key_id: assertion.kid,
  });
  const outcome = await verifyAssertion(assertion, key && assertionKeyOf(key));
  if (account === undefined || key === undefined || outcome === "unverified") {
    const why = account === undefined ? "no_such_account" : key === undefined ? "no_such_key" : "unverified";
    throw refuse("assertion_unverified", { ...assertion, why });
  }
  seen.proven = account;
  if (outcome === "other_algorithm") {
    const { alg } = assertion;
    const isOfKey = alg === key.algorithm;
    throw refuse(isOfKey ? "assertion_key_unfit" : "assertion_alg_not_of_key", { ...key, alg });
  }
  const state = stateOfCredential(key, server.now());
  if (state !== "active") throw refuse(`assertion_key_${state}`);
  if (!isActive(account)) throw refuse("service_account_inactive");
  const { organization } = account;
  if (organization !== undefined && !isActive(organization))
    throw refuse("service_account_organization_inactive");
  return { account, key };
}

/**
 * A service account identifies itself with its id or its email address, the "unique identifier of the
 * account" (spec 2.11).
 */
async function findAccount(name: string, { store }: AuthorizationServer) {
  if (isUuid(name)) return store.findServiceAccount(name.toLowerCase());
  const account = await findByEmail(name, (email_key) => store.find("service_accounts", { email_key }));
  return account && store.findServiceAccount(account.id);
}

function grantedScopes(
  params: Params,
  { app }: AuthenticatedClient,
  account: ServiceAccount,
): readonly string[] {
  const scope = params.get("scope");
  const ofClient = (name: string) => app.client_id === builtInClientId || app.allowed_scopes.includes(name);
  const allowed = account.allowed_scopes.filter((name) => ofClient(name) && !isAboutUser(name));
  if (scope !== undefined) {
    const requested = readScopes(scope);
    refuseUserScopes(requested);
    return narrowScopes(requested, allowed);
  }
  return machineDefaultScopes(app, allowed);
}

/** Reports and returns the refusal of an assertion that the storing transaction did not accept. */
export function assertionRefusal(
  outcome: Exclude<AssertionOutcome, "spent">,
  account: ServiceAccount,
  server: AuthorizationServer,
  origin: RequestOrigin,
): unknown {
  return reported(refuse(refusalOf[outcome]), { named: account, proven: account }, server, origin);
}

const refusalOf = {
  already_used: "assertion_used",
  account_deleted: "service_account_gone",
  account_inactive: "service_account_inactive",
  organization_inactive: "service_account_organization_inactive",
  key_revoked: "assertion_key_revoked",
  key_inactive: "assertion_key_inactive",
  key_expired: "assertion_key_expired",
  app_ended: "client_ended",
} as const satisfies Record<Exclude<AssertionOutcome, "spent">, RefusalKind>;
