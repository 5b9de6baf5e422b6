import {
  hasEnding,
  type OwnRead,
  type OwnVerb,
  ownReadsOf,
  ownVerbsOf,
  spelledVerb,
} from "../admin/manage/resource.ts";
import { type Resource, resources } from "../admin/resources/resources.ts";
import { sudoAge } from "../records/names/sign_in_methods.ts";
import { withArticle } from "../web/words/en/record_nouns.ts";
import { bulkPaths } from "./bulk_paths.ts";
import { feedDescription } from "./event_schemas.ts";
import { importPaths } from "./import_paths.ts";
import { introspectionPaths } from "./introspection_paths.ts";
import { manifestPaths } from "./manifest_paths.ts";
import { nounsOf, pascal, pluralOf, schemaNames, schemaNamesOfNoun } from "./names.ts";
import { headerRef, type Json, type PathItem, parameterRef, schemaRef } from "./operation.ts";
import {
  always,
  content,
  etagHeader,
  filterParameter,
  idParameter,
  includeParameter,
  json,
  listedExample,
  listParameters,
  listSchema,
  operation,
  refusals,
} from "./operation_parts.ts";
import { previewPaths } from "./preview_paths.ts";
import { namedPaths, nestedPaths } from "./reading_paths.ts";
import {
  actSchema,
  actSummary,
  capital,
  changeSchema,
  exampleFor,
  newRecordSchema,
  pendingSchema,
  recordSchema,
  removalParameters,
} from "./schemas.ts";
import { serverPaths } from "./server_paths.ts";
import { signInMethodsExample } from "./sign_in_methods_schema.ts";

function collectionPath(resource: Resource): PathItem {
  const { noun, resourceType, newest_first, create, output, asks } = resource;
  const names = schemaNames(resource);
  const nouns = nounsOf(resource);
  const record = recordSchema(resource);
  const fresh = newRecordSchema(resource);
  const example = exampleFor(record);
  return {
    get: operation(resource, `${resourceType}:read`, {
      operationId: `list${pascal(pluralOf(resource))}`,
      summary: `List ${nouns}`,
      description: `Returns the ${nouns} that the caller may read, by default ${newest_first ? "newest" : "oldest"} first.${resourceType === "events" ? feedDescription : ""}`,
      parameters: listParameters(resource),
      responses: {
        "200": {
          description: `A page of ${nouns}`,
          content: content(listSchema(names.record), {
            data: [listedExample(resource)],
            next_cursor: null,
            previous_cursor: null,
          }),
        },
        ...refusals(resourceType === "events" ? [...always, 410] : always),
      },
    }),
    ...(create !== undefined && {
      post: operation(resource, `${resourceType}:write`, {
        operationId: `create${names.record}`,
        summary: `Create ${withArticle(noun)}`,
        description: creations[resourceType] ?? "",
        parameters: [parameterRef("IdempotencyKey")],
        requestBody: {
          required: true,
          content: content(schemaRef(names.fresh), exampleFor(fresh, "required")),
        },
        responses: {
          "201": {
            description: `The new ${noun}${output === undefined ? "" : ", with values that no later response contains"}`,
            headers: {
              ...etagHeader,
              Location: headerRef("Location"),
              "Idempotency-Replayed": headerRef("IdempotencyReplayed"),
            },
            content: content(schemaRef(output === undefined ? names.record : names.created), example),
          },
          ...(asks !== undefined && { "202": pendingResponse(asks) }),
          ...refusals([...always, 404, 409, 413, 415, 422]),
        },
      }),
    }),
  };
}

function pendingResponse(asks: NonNullable<Resource["asks"]>): Json {
  const { when, noun } = asks;
  return {
    description: `Invited: ${when}`,
    headers: { "Idempotency-Replayed": headerRef("IdempotencyReplayed") },
    content: content(schemaRef(schemaNamesOfNoun(noun).record), exampleFor(pendingSchema(asks))),
  };
}

function recordResponse(
  resource: Resource,
  description: string,
  schema = schemaNames(resource).record,
): Json {
  return {
    description,
    headers: etagHeader,
    content: content(schemaRef(schema), exampleFor(recordSchema(resource))),
  };
}

function updatedResponses(resource: Resource, schema = schemaNames(resource).record): Json {
  return {
    "200": recordResponse(resource, `The updated ${resource.noun}`, schema),
    ...refusals([...always, 404, 409, 412, 413, 414, 415, 422]),
  };
}

function recordPath(resource: Resource): PathItem {
  const { noun, resourceType, update, remove } = resource;
  const names = schemaNames(resource);
  const change = changeSchema(resource);
  const changeContent = { schema: schemaRef(names.change), example: firstOf(exampleFor(change)) };
  const removal = removalParameters(resource);
  return {
    get: operation(resource, `${resourceType}:read`, {
      operationId: `get${names.record}`,
      summary: `Get ${withArticle(noun)}`,
      parameters: [idParameter(noun), ...includeParameter(resource), parameterRef("IfNoneMatch")],
      responses: {
        "200": recordResponse(resource, `The ${noun}`),
        "304": { description: "The caller already has the current version", headers: etagHeader },
        ...refusals([...always, 404, 414]),
      },
    }),
    ...(update !== undefined && {
      patch: operation(resource, `${resourceType}:write`, {
        operationId: `update${names.record}`,
        summary: `Update ${withArticle(noun)}`,
        description: "Omitted fields keep their values; null clears a field (RFC 7396).",
        parameters: [idParameter(noun), parameterRef("IfMatch")],
        requestBody: {
          required: true,
          content: { "application/merge-patch+json": changeContent, [json]: changeContent },
        },
        responses: updatedResponses(resource),
      }),
    }),
    ...(remove !== undefined && {
      delete: operation(resource, `${resourceType}:write`, {
        operationId: `delete${names.record}`,
        summary: `Delete ${withArticle(noun)}`,
        description: deletions[resourceType] ?? "",
        parameters: [idParameter(noun), parameterRef("IfMatch"), ...removal],
        responses: {
          "204": { description: "Deleted" },
          ...refusals([...always, 404, 409, 412, 414, 415, 422]),
        },
      }),
    }),
  };
}

const ofPlatform = "Only platform administrators may do this.";

const creations: Readonly<Partial<Record<Resource["resourceType"], string>>> = {
  consents: `Records that a user consented outside this server. ${ofPlatform}`,
  linked_accounts: ofPlatform,
  organizations: ofPlatform,
  signing_keys: ofPlatform,
  users: ofPlatform,
};

/** Sentences about what else is deleted or ends when a record is deleted (docs/permissions.md). */
const deletions: Readonly<Partial<Record<Resource["resourceType"], string>>> = {
  api_keys: "The key stops working immediately.",
  app_roles: "Also removes the role from all memberships and groups.",
  app_secrets: "The app can no longer authenticate with the secret. Tokens already issued remain valid.",
  apps: "Also deletes the app's secrets, authorization codes, consents and tokens.",
  attributes:
    "Values remain in the records, but no token contains them, and only platform administrators can read them. For a standard attribute such as given_name, the built-in definition applies again.",
  consents: "Also revokes the app's tokens for the user.",
  group_members: "The member loses the roles that the group grants.",
  groups: "The members lose the roles that the group grants.",
  key_pairs: "Also revokes the tokens that the service account obtained with the key pair.",
  linked_accounts: "The user can no longer sign in with the account. Sessions that depend on it end.",
  memberships:
    "Also revokes the user's tokens for the organization, and ends sessions through the organization's providers.",
  organizations:
    "Also deletes everything that belongs to the organization, such as its apps, memberships and API keys. The members' user accounts remain. Only owners of the organization and platform administrators may do this.",
  providers: "Users can no longer sign in through the provider.",
  resources:
    "Also deletes the API's app roles, and removes the API from `resources` of all apps. Introspection and refresh reject tokens that are only for this API.",
  roles: "Also removes the role from all memberships and groups.",
  service_accounts: "Also deletes the service account's key pairs and tokens.",
  signing_keys:
    "Removes the key from the key set, so clients and APIs reject the tokens that it signed. If no other key signs with this algorithm, a new key is created.",
  users:
    "Also deletes everything that belongs to the user, such as sessions, tokens and the user's own apps. Only platform administrators may do this.",
  webhook_endpoints: "The endpoint receives no more events.",
};

const revocations: Readonly<Partial<Record<Resource["resourceType"], string>>> = {
  api_keys: "The key stops working immediately and permanently.",
  app_secrets:
    "The app can no longer authenticate with the secret. Tokens already issued remain valid. This cannot be undone.",
  apps: "The app can no longer request tokens, and its tokens are revoked. This cannot be undone.",
  auth_codes: "Ends an unused code, so the app can no longer exchange it for tokens.",
  consents: "Also revokes the app's tokens for the user. This cannot be undone.",
  key_pairs:
    "Also revokes the tokens that the service account obtained with the key pair. This cannot be undone.",
  sessions:
    "Ends the session and revokes the tokens that were issued in it. Tokens granted with `offline_access` remain valid.",
  tokens:
    "Revokes the access token and its refresh token. If a user authorized them, all tokens with the same `family_id` are revoked.",
};

function firstOf(example: Json): Json {
  return Object.fromEntries(Object.entries(example).slice(0, 1));
}

function revocationPath(resource: Resource): PathItem {
  const { noun, resourceType } = resource;
  const { record } = schemaNames(resource);
  return {
    post: operation(resource, `${resourceType}:write`, {
      operationId: `revoke${record}`,
      summary: `Revoke ${withArticle(noun)}`,
      description: revocations[resourceType] ?? "",
      parameters: [idParameter(noun), parameterRef("IfMatch"), parameterRef("IdempotencyKey")],
      responses: updatedResponses(resource),
    }),
  };
}

const actMeanings: Readonly<Record<OwnVerb, string>> = {
  register:
    "Turns a client that publishes its own metadata (`metadata_document`) into an app that you manage. The server no longer fetches the document. Only platform administrators may do this.",
  reset_factors: `Deletes the user's passkeys, authenticator apps, recovery codes and remembered browsers, and ends the user's sessions and tokens. The next sign-in requires a code sent by email. Only platform administrators may do this, for other users, in a browser session. They must have used a second factor within the last ${sudoAge / 60_000} minutes.`,
  remove_factor:
    "Sessions that depend on the factor end, remembered browsers are forgotten, and the user is notified by email. The last second factor cannot be removed: use `reset-factors` instead. The caller must meet the conditions of `reset-factors`.",
  sign_out:
    "Ends every session of the user and revokes the tokens issued in them. Tokens granted with `offline_access` remain valid. Only platform administrators may do this. A token or API key also needs the scope `postern:sessions:write`.",
  test_logout:
    "Sends the app a logout token for a user and a session that do not exist; the app should respond with 200. The result is stored in the list of deliveries.",
  ping: "Sends a `ping` event, signed like every other event. The result is stored in the list of deliveries.",
  replay:
    "Send one of `event_id`, `after` and `since`. At most 1,000 events are resent. Receivers recognize repeated events by the header webhook-id.",
  rotate_secret:
    "Returns the new `secret`, which no later response contains. For 24 hours, events are also signed with the previous secret.",
  retry: "The next attempt is due immediately. If the delivery is already `done`, nothing changes.",
  revoke_everything:
    "Ends sessions, forgets remembered browsers, and revokes tokens, authorization codes, API keys and consents. The account, password, second factors and linked accounts remain. Only platform administrators may do this. A token or API key also needs the scopes to write sessions, tokens, API keys and consents.",
};

const yieldsSecret: ReadonlySet<OwnVerb> = new Set(["rotate_secret"]);

/** Actions that no token or API key may perform (`requireMayTakeFactors`). */
const onlyInSession: ReadonlySet<OwnVerb> = new Set(["reset_factors", "remove_factor"]);
const inSession: Json = { security: [{ session: [] }] };

const readMeanings: Readonly<Record<OwnRead, readonly [summary: string, description: string]>> = {
  sign_in_methods: [
    "Get a user's sign-in methods",
    "Only platform administrators and the user may read them.",
  ],
};

function readPath(resource: Resource, name: OwnRead): PathItem {
  const [summary, description] = readMeanings[name];
  return {
    get: operation(resource, `${resource.resourceType}:read`, {
      operationId: `get${pascal(name)}`,
      summary,
      description,
      parameters: [idParameter(resource.noun)],
      responses: {
        "200": {
          description: "The user's sign-in methods",
          content: content(schemaRef(pascal(name)), signInMethodsExample),
        },
        ...refusals([...always, 404, 414]),
      },
    }),
  };
}

function impactPath(resource: Resource): PathItem {
  const { noun, resourceType, remove, revoke } = resource;
  const endings = [...(remove ? ["deleting"] : []), ...(revoke ? ["revoking"] : [])];
  return {
    get: operation(resource, `${resourceType}:write`, {
      operationId: `getImpactOf${schemaNames(resource).record}`,
      summary: `Preview the impact of ${endings.join(" or ")} ${withArticle(noun)}`,
      parameters: [idParameter(noun)],
      responses: {
        "200": {
          description: "The number of affected records of each kind; kinds with a count of 0 are absent",
          content: content(schemaRef("Impact"), { tokens: 12, people: 3 }),
        },
        ...refusals([...always, 404, 414]),
      },
    }),
  };
}

function actPath(resource: Resource, verb: OwnVerb): PathItem {
  const { resourceType } = resource;
  const { record, created } = schemaNames(resource);
  const input = actSchema(resource, verb);
  const described = {
    operationId: actOperationId(record, verb),
    summary: capital(actSummary(resource, verb)),
    description: actMeanings[verb],
    parameters: [idParameter(resource.noun), parameterRef("IfMatch"), parameterRef("IdempotencyKey")],
    requestBody: { required: true, content: content(input, exampleFor(input, "required")) },
    responses: updatedResponses(resource, yieldsSecret.has(verb) ? created : record),
  };
  return {
    post: onlyInSession.has(verb)
      ? { ...described, tags: [pluralOf(resource)], ...inSession }
      : operation(resource, `${resourceType}:write`, described),
  };
}

function actOperationId(record: string, verb: OwnVerb): string {
  const ids: Readonly<Record<OwnVerb, string>> = {
    register: `register${record}`,
    reset_factors: `resetFactorsOf${record}`,
    remove_factor: `removeFactorOf${record}`,
    sign_out: `signOut${record}`,
    revoke_everything: `revokeEverythingOf${record}`,
    test_logout: `testLogoutOf${record}`,
    retry: `retry${record}`,
    ping: `ping${record}`,
    replay: `replayTo${record}`,
    rotate_secret: `rotateSecretOf${record}`,
  };
  return ids[verb];
}

const mePath: PathItem = {
  get: {
    operationId: "getMe",
    summary: "Get the caller and its permissions",
    description: "Requires no permission.",
    tags: ["caller"],
    responses: {
      "200": {
        description: "The caller",
        content: content(schemaRef("Caller"), {
          actor: { kind: "user", id: "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a", name: "Ada" },
          scopes: null,
          is_platform_admin: false,
          permissions: ["users:read", "users:write"],
          organizations: [],
        }),
      },
      ...refusals([401, 429, 500, 503]),
    },
  },
};

function exportPath(resource: Resource): PathItem {
  return {
    get: operation(resource, `${resource.resourceType}:read`, {
      operationId: `export${pascal(pluralOf(resource))}`,
      summary: `Export ${nounsOf(resource)} as JSON Lines`,
      description: "Returns all matching events, newest first.",
      parameters: resource.filters.map((filter) => filterParameter(resource, filter)),
      responses: {
        "200": {
          description: "One event per line. If the connection breaks, the export is incomplete",
          content: { "application/x-ndjson": { schema: { type: "string" } } },
        },
        ...refusals(always),
      },
    }),
  };
}

export function apiPaths(): Readonly<Record<string, PathItem>> {
  const paths: Record<string, PathItem> = {
    "/api/v1/me": mePath,
    ...serverPaths,
    ...manifestPaths,
    ...importPaths,
  };
  for (const resource of resources) {
    const path = `/api/v1/${resource.path}`;
    paths[path] = collectionPath(resource);
    if (resource.resourceType === "audit_events") paths[`${path}/export`] = exportPath(resource);
    paths[`${path}/{id}`] = recordPath(resource);
    if (resource.revoke !== undefined) paths[`${path}/{id}/revoke`] = revocationPath(resource);
    if (hasEnding(resource)) paths[`${path}/{id}/impact`] = impactPath(resource);
    for (const name of ownReadsOf(resource)) {
      paths[`${path}/{id}/${spelledVerb(name)}`] = readPath(resource, name);
    }
    for (const verb of ownVerbsOf(resource)) {
      paths[`${path}/{id}/${spelledVerb(verb)}`] = actPath(resource, verb);
    }
    Object.assign(paths, namedPaths(resource), nestedPaths(resource), bulkPaths(resource));
  }
  return { ...paths, ...introspectionPaths, ...previewPaths };
}
