import { verifyAssertion } from "../../../crypto/assertions.ts";
import { fittingKey } from "../../../crypto/client_keys.ts";
import { type ClientKey, readKeySet } from "../../../crypto/key_sets.ts";
import { perObject } from "../../../lazily.ts";
import type { OAuthApp } from "../../../records/definition/definition.ts";
import type { Rate, Share } from "../../../records/names/leaky_buckets.ts";
import { clientKeyAlgorithms } from "../../../records/names/names.ts";
import { among } from "../../../records/names/profiles.ts";
import {
  type ClientAssertion,
  readClientAssertion,
  readClientClaims,
} from "../../assertions/client_assertion.ts";
import { onceKeyOfAssertion } from "../../assertions/read_assertion.ts";
import { lastingId } from "../../client_sources/lasting_id.ts";
import { isAdmitted } from "../../core/memory.ts";
import { rulesFor } from "../../core/rules_for.ts";
import type { AuthorizationServer, ClientAuthenticationMethod, PresentedClient } from "../../core/server.ts";
import { refuse } from "../../refusals/refuse.ts";

/** The only `client_assertion_type` that this server accepts (RFC 7523 2.2). */
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

interface PresentedAssertion extends PresentedClient {
  readonly assertion: ClientAssertion;
}

/**
 * Client authentication with an assertion that the client signed with its own private key (RFC 7523 2.2,
 * OpenID Connect Core 9). An assertion can be used once, even if the rest of the request is refused.
 */
export const privateKeyJwt: ClientAuthenticationMethod<PresentedAssertion> = {
  name: "private_key_jwt",
  client_type: "confidential",
  credential: { in: "form", name: "client_assertion" },
  // RFC 8414 2: the list of algorithms is required if a signing method is offered.
  metadata({ client_algorithms }) {
    const values = among(clientKeyAlgorithms, client_algorithms);
    return {
      token_endpoint_auth_signing_alg_values_supported: values,
      introspection_endpoint_auth_signing_alg_values_supported: values,
      revocation_endpoint_auth_signing_alg_values_supported: values,
    };
  },
  present({ params }) {
    const text = params.get("client_assertion");
    if (text === undefined) return [];
    const type = params.get("client_assertion_type");
    if (type !== assertionType) {
      throw refuse("client_assertion_type", { received: type, expected: assertionType });
    }
    const assertion = readClientAssertion(text);
    const { client_id } = assertion;
    const named = params.get("client_id");
    if (named !== undefined && named !== client_id) {
      throw refuse("client_assertion_of_other", { client_id: named });
    }
    return [{ client_id, assertion }];
  },
  async verify({ assertion }, client, { source }, server) {
    const keys = client && (await keysOf(client.app, assertion, server));
    const key = keys && fittingKey(keys, assertion.kid, assertion.alg);
    const result = await verifyAssertion(assertion, key);
    if (client === undefined) return undefined;
    if (key === undefined || result === "unverified") {
      const why = keys === undefined ? "keys_unreachable" : key === undefined ? "no_key_fits" : "unverified";
      throw refuse("client_assertion_unverified", { why, kid: assertion.kid });
    }
    if (result === "other_algorithm") {
      throw refuse("client_assertion_alg_not_of_key", { ...key, alg: assertion.alg });
    }
    const { app } = client;
    const rules = rulesFor(app, server);
    const { assertion_algorithms: allowed } = rules;
    if (!allowed.includes(assertion.alg)) {
      throw refuse("client_assertion_alg_not_of_app", { received: assertion.alg, allowed });
    }
    if (rules.counts_assertions) refuseTooMany(source, lastingId(app), server);
    const now = server.now();
    const { once_key, once_ends_at } = onceKeyOfAssertion(
      lastingId(app),
      readClientClaims(assertion, rules, server.issuer, now),
    );
    if (!(await server.store.useOnce("client_assertion", once_key, once_ends_at, now))) {
      throw refuse("client_assertion_used");
    }
    const { jwks, jwks_uri } = app;
    return { type: "client_key", jwks, jwks_uri };
  },
};

/**
 * Clients that no administrator registered are limited, because each assertion costs a database row, and
 * anyone can create such a client.
 */
const sourceRate: Rate = { size: 400, every: 20 };
const clientRate: Rate = { size: 200, every: 20 };

function refuseTooMany(source: string, client: string, server: AuthorizationServer): void {
  const shares: Share[] = [
    [`source ${source}`, sourceRate],
    [`${client} ${source}`, clientRate],
  ];
  if (!isAdmitted("client_assertions", shares, server))
    throw refuse("client_assertions_too_many", { retry_after: 1 });
}

/** A key set stays the same object while its app is cached. */
const keysOfSet = perObject((jwks: object): readonly ClientKey[] => {
  const read = readKeySet(jwks);
  return "errors" in read ? [] : read;
});

/**
 * Returns the client's keys; undefined if its published keys cannot be fetched. If no cached key fits the
 * assertion, the published keys are fetched again.
 */
async function keysOf(
  app: OAuthApp,
  { kid, alg }: ClientAssertion,
  server: AuthorizationServer,
): Promise<readonly ClientKey[] | undefined> {
  const { jwks, jwks_uri } = app;
  if (jwks_uri !== null) {
    const sets = server.clientKeySets[rulesFor(app, server).key_sets];
    return sets.find(jwks_uri, (keys) => fittingKey(keys, kid, alg) !== undefined);
  }
  if (jwks === null) return [];
  return keysOfSet(jwks);
}
