/** Generates the methods of `@postern/client` from the operations of the OpenAPI document. */

import type { OpenApiDocument } from "../../src/api/openapi.ts";
import type { HttpMethod, Operation } from "../../src/api/operation.ts";
import { optionNames } from "../../src/client/operation_types.ts";

const head = `// biome-ignore-all lint: generated from /api/openapi.json by npm run client; not to be edited.
import type { Listing } from "../listing.ts";
import type { Answer, Body, Call, CallOptions, Options, Schemas } from "../operation_types.ts";
`;

interface Method {
  readonly name: string;
  readonly operation: Operation;
  readonly method: HttpMethod;
  readonly path: string;
  readonly answer: "record" | "page" | "lines" | "nothing";
}

interface Group {
  /** Such as `apiKeys`; empty for methods of the client itself. */
  readonly name: string;
  readonly methods: Method[];
}

const camel = (name: string) => name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string) => camel(`-${name}`);

const usualNames: Readonly<Record<HttpMethod, readonly [many: string, one: string]>> = {
  get: ["list", "get"],
  post: ["create", ""],
  patch: ["", "update"],
  delete: ["", "delete"],
};

/** Returns the method's name: derived from the path below its group, or else the operation's own name. */
function nameOf(rest: readonly string[], method: HttpMethod, { operationId }: Operation, isList: boolean) {
  const [first, second, third] = rest;
  const [many, one] = usualNames[method];
  let name = "";
  if (first === undefined) name = many;
  else if (first === "{id}" && second === undefined) name = one;
  else if (first === "{id}" && third === undefined && second !== undefined)
    name = method === "get" ? `${isList ? "list" : "get"}${pascal(second)}` : "";
  if (first === "{id}" && method === "post" && second !== undefined && third === undefined)
    name = isVerb(operationId, second) ? camel(second) : "";
  if (first?.startsWith("by-")) name = `get${pascal(first)}`;
  if (first === "export") name = "export";
  return name === "" ? operationId : name;
}

/**
 * Returns whether the last path segment is an action, such as `revoke` in `revokeApp`, rather than a resource,
 * such as `invitations`.
 */
function isVerb(operationId: string, step: string): boolean {
  return operationId.startsWith(camel(step));
}

function answerOf({ operationId, responses }: Operation): { kind: Method["answer"]; isList: boolean } {
  const answers = Object.entries(responses).filter(([status]) => /^2/.test(status));
  const contents = answers.map(([, answer]) => (answer as { content?: Record<string, unknown> }).content);
  if (contents.every((content) => content === undefined)) return { kind: "nothing", isList: false };
  const [content = {}] = contents;
  if (content["application/x-ndjson"] !== undefined) return { kind: "lines", isList: false };
  const media = content["application/json"] as { schema?: { properties?: object } } | undefined;
  if (media === undefined) throw new Error(`${operationId} returns neither JSON nor JSON lines`);
  const isList = Object.keys(media.schema?.properties ?? {}).includes("next_cursor");
  return { kind: isList ? "page" : "record", isList };
}

function groupsOf({ paths }: OpenApiDocument): Group[] {
  const groups = new Map<string, Group>();
  for (const [path, item] of Object.entries(paths)) {
    for (const [key, operation] of Object.entries(item) as [HttpMethod, Operation][]) {
      const { kind, isList } = answerOf(operation);
      const [first = "", ...rest] = path.replace("/api/v1/", "").split("/");
      const isBulk = first === "bulk";
      const isOwn = rest.length === 0 && !Object.hasOwn(paths, `${path}/{id}`);
      const group = isOwn ? "" : camel(isBulk ? (rest[0] ?? "") : first);
      const usual = isBulk ? "bulk" : nameOf(rest, key, operation, isList);
      const name = isOwn ? camel(first) : usual;
      const found = groups.get(group) ?? { name: group, methods: [] };
      groups.set(group, found);
      if (found.methods.some((each) => each.name === name))
        throw new Error(
          `two operations would have the name ${group}.${name}, one of them ${operation.operationId}`,
        );
      found.methods.push({ name, operation, method: key, path, answer: kind });
    }
  }
  return [...groups.values()];
}

/** Returns the parameters with references resolved. */
function parametersOf(document: OpenApiDocument, { parameters = [] }: Operation) {
  return parameters.map((each) => {
    if (!("$ref" in each)) return each;
    const found = document.components.parameters[each.$ref.split("/").at(-1) ?? ""];
    if (found === undefined) throw new Error(`${each.$ref} does not exist`);
    return found;
  });
}

function comment({ summary }: Operation): string {
  return `/** ${summary} */`;
}

/** Returns the record type of a group: the result of `get`. */
function recordOf({ methods }: Group): string | undefined {
  const get = methods.find(({ name }) => name === "get");
  return get && schemaOf(get.operation.responses["200"]);
}

function schemaOf(response: unknown): string | undefined {
  return /"application\/json":\{"schema":\{"\$ref":"#\/components\/schemas\/(\w+)"/.exec(
    JSON.stringify(response),
  )?.[1];
}

function resultOf(group: Group, { operation, answer }: Method): string {
  const { operationId } = operation;
  if (answer === "page") return `Listing<Answer<"${operationId}">>`;
  if (answer === "lines") return `AsyncIterable<Schemas["${recordOf(group)}"]>`;
  return answer === "nothing" ? "Promise<void>" : `Promise<Answer<"${operationId}">>`;
}

function signature(document: OpenApiDocument, group: Group, each: Method): string {
  const { name, operation, path } = each;
  const { operationId, requestBody } = operation;
  const clash = parametersOf(document, operation).find(
    (parameter) => parameter.in === "query" && (optionNames as readonly string[]).includes(parameter.name),
  );
  if (clash !== undefined) throw new Error(`${operationId}: ${clash.name} is a reserved word of the client`);
  const values = [...path.matchAll(/\{(\w+)\}/g)].map(([, value = ""]) => `${camel(value)}: string`);
  const body = requestBody === undefined ? [] : [`body: Body<"${operationId}">`];
  const input = [...values, ...body, `options?: Options<"${operationId}">`];
  return `${comment(operation)}\n${name}(${input.join(", ")}): ${resultOf(group, each)};`;
}

/**
 * Returns the signature of a method that reads a record, changes it and writes it if it has not changed
 * since.
 */
function editSignature(group: Group): string[] {
  const record = recordOf(group);
  const update = group.methods.find(({ name }) => name === "update");
  if (record === undefined || update === undefined) return [];
  return [
    `/**
 * Reads the record, and writes the change that "change" returns if the record has not changed in between. If it
 * has, starts again, up to five times. Writes nothing if "change" returns undefined.
 */
edit(id: string, change: (record: Schemas["${record}"]) => Body<"${update.operation.operationId}"> | undefined, options?: CallOptions): Promise<Schemas["${record}"]>;`,
  ];
}

function callsText({ methods }: Group): string {
  const entries = methods.map(({ name, method, path, answer, operation }) => {
    const isKeyed = JSON.stringify(operation.parameters ?? []).includes("parameters/IdempotencyKey");
    const marks = [...(operation.requestBody ? ["body: true"] : []), ...(isKeyed ? ["keyed: true"] : [])];
    const call = [`method: "${method.toUpperCase()}"`, `path: "${path}"`, `answer: "${answer}"`, ...marks];
    return `${name}: { ${call.join(", ")} },`;
  });
  return `{ ${entries.join("\n")} }`;
}

/**
 * Returns the text of `src/client/generated/calls.ts`. Throws if two operations would have the same
 * method name.
 */
export function clientSource(document: OpenApiDocument): string {
  const groups = groupsOf(document);
  const named = groups.filter(({ name }) => name !== "");
  const own = groups.find(({ name }) => name === "") ?? { name: "", methods: [] };
  const signatures = (group: Group) => group.methods.map((each) => signature(document, group, each));
  const interfaces = named.map(
    (group) =>
      `export interface ${pascal(group.name)} {\n${[...signatures(group), ...editSignature(group)].join("\n")}\n}\n`,
  );
  const members = named.map(({ name }) => `readonly ${name}: ${pascal(name)};`);
  const calls = named.map((group) => `${group.name}: ${callsText(group)},`);
  return [
    head,
    ...interfaces,
    `/** The management API, by resource type. */\nexport interface Postern {\n${[...signatures(own), ...members].join("\n")}\n}\n`,
    `export const callsOfClient: Readonly<Record<string, Call>> = ${callsText(own)};\n`,
    `export const callsOfGroups: Readonly<Record<string, Readonly<Record<string, Call>>>> = {\n${calls.join("\n")}\n};\n`,
  ].join("\n");
}
