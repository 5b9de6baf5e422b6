import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { openApiDocument } from "../../../src/api/openapi.ts";
import type { JsonSchema, Operation, Parameter } from "../../../src/api/operation.ts";
import { problemKinds } from "../../../src/http/problems.ts";
import { issuer } from "../../support/authorization_server.ts";
import {
  aCode,
  aConsent,
  aKeyPair,
  aMembership,
  anApiKey,
  anApp,
  anEvent,
  anInvitation,
  anOAuthAccount,
  anOrganization,
  aProvider,
  aRefusal,
  aResource,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
} from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { inForm, someOf } from "../../support/form.ts";
import { withoutConversions } from "../../support/without_conversions.ts";
import {
  oddBodies,
  oddHeaders,
  oddMethods,
  oddNames,
  oddParameters,
  oddTypes,
  oddValues,
  type Sent,
} from "./nonsense.ts";
import { type ApiServer, apiServer, bearer } from "./server.ts";

const { paths, components } = openApiDocument({ issuer, session_cookie: "session" });

interface Known {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}
const operations: readonly Known[] = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** Creates a record of the resource type that the path begins with, and returns its id. */
const recordsOf: Readonly<Record<string, (it: ApiServer) => Promise<{ readonly id: string }>>> = {
  organizations: ({ store }) => anOrganization(store),
  users: ({ store }) => aUser(store),
  memberships: ({ store }) => aMembership(store),
  providers: ({ store }) => aProvider(store),
  "linked-accounts": ({ store }) => anOAuthAccount(store),
  "api-keys": ({ store }) => anApiKey(store),
  apps: ({ store }) => anApp(store),
  "app-secrets": ({ store }) => aSecret(store),
  tokens: ({ store }) => aToken(store),
  "auth-codes": ({ store }) => aCode(store),
  sessions: ({ store }) => aSession(store),
  resources: ({ store }) => aResource(store),
  "service-accounts": ({ store }) => aServiceAccount(store),
  "key-pairs": ({ store }) => aKeyPair(store),
  consents: ({ store }) => aConsent(store),
  "audit-events": ({ store }) => anEvent(store),
  refusals: ({ store }) => aRefusal(store),
};

/** Returns the component to which a `$ref` of the document refers, or the input if it is no reference. */
function resolved<T extends object>(input: T | { readonly $ref: string }): T {
  if (!("$ref" in input)) return input;
  const [, , kind = "", name = ""] = input.$ref.split("/");
  return (components as unknown as Record<string, Record<string, T>>)[kind]?.[name] as T;
}

const parametersOf = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.map((each) => resolved<Parameter>(each));

/** Returns the schema of the operation's body, and an example of it. */
function bodyOf({
  requestBody,
}: Operation): { members: string[]; example: Record<string, unknown>; schema: JsonSchema } | undefined {
  const content = requestBody?.content as Record<string, { schema: JsonSchema; example: object }> | undefined;
  const [body] = Object.values(content ?? {});
  if (body === undefined) return undefined;
  const schema: JsonSchema = resolved(body.schema);
  const { properties = {} } = schema as Shape;
  return { members: Object.keys(properties), example: { ...body.example }, schema };
}

/** The members of a schema that are used here. */
interface Shape {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
}

/** Returns a value that the schema allows, with its required members. */
function sampleOf(schema: JsonSchema): unknown {
  const { properties = {}, required = [], items, examples, enum: values } = resolved(schema) as Shape;
  if (examples?.[0] !== undefined || values?.[0] !== undefined) return examples?.[0] ?? values?.[0];
  if (items !== undefined) return [sampleOf(items)];
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
}

/** Yields the example with this value in place of each member, at any depth that the schema describes. */
function* withEach(schema: JsonSchema, example: unknown, value: unknown): Generator<unknown> {
  yield value;
  const { properties = {}, items, oneOf, anyOf } = resolved(schema) as Shape;
  for (const each of oneOf ?? anyOf ?? []) yield* withEach(each, sampleOf(each), value);
  if (items !== undefined)
    for (const one of withEach(items, Array.isArray(example) ? example[0] : sampleOf(items), value))
      yield [one];
  const members = typeof example === "object" && example !== null ? { ...example } : {};
  for (const [name, member] of Object.entries(properties))
    for (const one of withEach(member, (members as JsonSchema)[name] ?? sampleOf(member), value))
      yield { ...members, [name]: one };
}

/** Returns the object as JSON, with the JSON of this value as one of its members. */
function withMember(input: Readonly<Record<string, unknown>>, name: string, value: string): string {
  const { [name]: _, ...others } = input;
  const rest = JSON.stringify(others).slice(1, -1);
  return `{"${name}":${value}${rest === "" ? "" : `,${rest}`}}`;
}

for (const database of databasesInForm)
  describe(`H-1: operations of the management API with invalid input of every kind on ${database.name}`, () => {
    let it: ApiServer;
    before(async () => {
      it = await apiServer(database);
    });

    const oneOf = database.name === "SQLite" ? inForm(5, 1) : inForm(29, 5);

    /** Returns the path of the operation for an existing record. `odd` replaces parameters of the path. */
    async function addressOf(path: string, odd: Readonly<Record<string, string>> = {}): Promise<string> {
      const [, , , family = ""] = path.split("/");
      const { id = it.administrator.id } = (path.includes("{id}") && (await recordsOf[family]?.(it))) || {};
      const invited = path.includes("{invitation_id}");
      const invitation_id = invited ? (await anInvitation(it.store, { organization_id: id })).id : "";
      const names: Readonly<Record<string, string>> = { id, invitation_id, ...odd };
      return path.replaceAll(/\{(\w+)\}/g, (_, name) => names[name] ?? "name");
    }

    /** Sends the request, and fails if the document does not describe the response. */
    async function send(known: Known, at: string, { method, headers, body, query }: Sent): Promise<void> {
      const verb = method ?? known.method;
      const answer = await it.app.inject({
        method: verb as "GET",
        url: query === undefined ? at : `${at}?${query}`,
        headers: {
          ...bearer(it.key),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { payload: body }),
      });
      const { statusCode } = answer;
      assert.equal(answer.headers["access-control-allow-origin"], undefined);
      assert.doesNotMatch(
        answer.body,
        /\$argon2\w+\$v=|"(?:secret_hash|password_hash|private_key_sealed|key_hash)":/,
      );
      assert.doesNotMatch(
        answer.body,
        /"code":"server_error"/,
        `${verb} ${at} ${String(body).slice(0, 300)}`,
      );
      const isPromised = method !== undefined || Object.hasOwn(known.operation.responses, statusCode);
      const problem = statusCode < 400 || verb === "HEAD" ? undefined : JSON.parse(answer.body);
      const isProblem =
        statusCode < 400 ||
        (answer.headers["content-type"] === "application/problem+json" &&
          (verb === "HEAD" || (problem.status === statusCode && Object.hasOwn(problemKinds, problem.code))));
      if (statusCode < 500 && isPromised && isProblem) return;
      const logged = it.logged.findLast((line) => /failed/.test(line));
      const sent = `${verb} ${at} ${query ?? ""} ${JSON.stringify(headers)} ${String(body).slice(0, 300)}`;
      assert.fail(`${sent}: ${statusCode} ${answer.body.slice(0, 500)} ${logged}`);
    }

    let count = 0;
    /**
     * Sends the request. In the short form of the suite, only one in `oneOf` requests is sent, so operations
     * get different kinds of nonsense.
     */
    async function sendSome(...input: Parameters<typeof send>): Promise<void> {
      count += 1;
      if (count % oneOf === 0) await send(...input);
    }

    test("invalid bodies, content types and headers cause no server error", async () => {
      for (const known of someOf(operations, 3)) {
        const at = await addressOf(known.path);
        const bodies = oddBodies.map((body) => ({ body }));
        for (const sent of [...bodies, ...oddTypes, ...oddHeaders]) await sendSome(known, at, sent);
      }
    });

    test("unsupported methods cause no server error", async () => {
      for (const [path, item] of Object.entries(paths)) {
        const known = operations.find((each) => each.path === path);
        assert.ok(known);
        const at = await addressOf(path);
        const taken = Object.keys(item).map((each) => each.toUpperCase());
        for (const method of oddMethods.filter((each) => !taken.includes(each))) {
          await sendSome(known, at, { method });
          await sendSome(known, at, { method, body: "{}" });
        }
      }
    });

    test("invalid queries and names in the path cause no server error", async () => {
      for (const known of someOf(operations, 3)) {
        const at = await addressOf(known.path);
        for (const { name, in: where } of parametersOf(known.operation)) {
          if (where === "query") {
            const queries = [...oddParameters.map((value) => `${name}=${value}`), `${name}=1&${name}=2`];
            for (const query of queries) await sendSome(known, at, { query });
          } else if (where === "path") {
            for (const odd of oddNames)
              await sendSome(known, await addressOf(known.path, { [name]: odd }), {});
          }
        }
      }
    });

    test("invalid values in each field of a body, alone and all together, cause no server error", async () => {
      for (const known of someOf(operations, 3)) {
        const takes = bodyOf(known.operation);
        if (takes === undefined) continue;
        const at = await addressOf(known.path);
        const { members, example } = takes;
        for (const value of oddValues) {
          const all = members.map((name) => `"${name}":${value}`).join(",");
          await sendSome(known, at, { body: `{${all}}` });
          for (const name of members) await sendSome(known, at, { body: withMember(example, name, value) });
        }
        const [operation] = (example.operations ?? []) as Record<string, unknown>[];
        if (operation === undefined) continue;
        for (const value of oddValues) {
          for (const name of ["op", "id", "data", "if_match"]) {
            const body = `{"operations":[${withMember(operation, name, value)},${value}]}`;
            await sendSome(known, at, { body });
          }
        }
      }
    });

    test("values in a field at any depth that cannot be converted to text or number cause no server error", async () => {
      for (const known of operations) {
        const takes = bodyOf(known.operation);
        if (takes === undefined) continue;
        const at = await addressOf(known.path);
        for (const value of withoutConversions)
          for (const body of withEach(takes.schema, takes.example, value))
            await sendSome(known, at, { body: JSON.stringify(body) });
      }
    });
  });
