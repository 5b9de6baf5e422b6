import { statusOfProblem } from "../errors.ts";
import { problemCodes, problemKinds } from "../http/problems.ts";
import { isObject } from "../records/names/json_shapes.ts";
import type { ApiDocsPage, ApiGroup, ApiMember, ApiOperation } from "./api_docs_page.ts";
import type { OpenApiDocument } from "./openapi.ts";
import {
  type HttpMethod,
  isStreamed,
  type Json,
  type Operation,
  type Parameter,
  type Reference,
} from "./operation.ts";
import { capital } from "./schemas.ts";

const objectIn = (value: unknown, name: string): Json => {
  const member = isObject(value) ? value[name] : undefined;
  return isObject(member) ? member : {};
};

/** Maximum number of operations that a search shows, because its page is rendered for each request. */
const mostFound = 30;

/**
 * Returns the page with only the operations whose name, method, path and summary together contain each word
 * of the search. `more` is the number of operations beyond `mostFound`, which are omitted.
 */
export function narrowed<D extends Pick<ApiDocsPage, "groups">>(
  docs: D,
  search: string,
): D & { search: string; more: number } {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const fits = ({ id, method, path, summary }: ApiOperation) => {
    const text = `${id} ${method} ${path} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  let left = mostFound;
  let more = 0;
  const groups = docs.groups.map((group) => {
    const found = group.operations.filter(fits);
    const operations = found.slice(0, left);
    left -= operations.length;
    more += found.length - operations.length;
    return { ...group, operations };
  });
  return { ...docs, groups: groups.filter(({ operations }) => operations.length > 0), search, more };
}

export function docsOf(document: OpenApiDocument, document_href: string): Omit<ApiDocsPage, "words"> {
  const { info, servers, tags } = document;
  return {
    title: info.title,
    description: info.description,
    base_url: String(servers[0]?.url),
    document_href,
    credentials: Object.values(document.components.securitySchemes).map((scheme) => ({
      name: objectIn({ scheme }, "scheme").scheme === "bearer" ? "Authorization: Bearer" : "Browser session",
      description: `${objectIn({ scheme }, "scheme").description}.`,
    })),
    groups: tags.map((tag) => groupOf(tag, document)),
    problems: problemCodes.map((code) => ({ code, status: statusOfProblem[code], ...problemKinds[code] })),
  };
}

function groupOf(tag: { name: string; description: string }, document: OpenApiDocument): ApiGroup {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.entries(item) as [HttpMethod, Operation][])
      .filter(([, { tags }]) => tags.includes(tag.name))
      .map(([method, operation]) => ({ method, path, operation })),
  );
  const read = operations.find(({ operation }) => operation.operationId.startsWith("get"));
  const record = resolve(schemaIn(objectIn(read?.operation.responses, "200")), document);
  return {
    id: tag.name.replaceAll(" ", "-"),
    name: capital(tag.name),
    description: `${tag.description}.`,
    members: membersOf(record, document),
    operations: operations.map(({ method, path, operation }) => viewOf(method, path, operation, document)),
  };
}

function viewOf(
  method: HttpMethod,
  path: string,
  operation: Operation,
  document: OpenApiDocument,
): ApiOperation {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const body = objectIn(requestBody, "content");
  const [first] = Object.values(body);
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description: description.replaceAll("`", ""),
    parameters: parameters.map((parameter) => parameterOf(parameter, document)),
    body:
      requestBody === undefined
        ? undefined
        : {
            types: Object.keys(body),
            members: membersOf(resolve(objectIn(first, "schema"), document), document),
            example: pretty(objectIn(first, "example")),
          },
    answers: Object.entries(responses)
      .filter(([status]) => status < "4")
      .map(([status, response]) => ({
        status,
        description: String(resolve(response, document).description).replaceAll("`", ""),
      })),
    refusals: Object.keys(responses).filter((status) => status >= "4"),
    is_tried: !isStreamed(operation),
    curl: curlOf(method, path, Object.keys(body)[0], pretty(objectIn(first, "example"))),
    example: pretty(objectIn(objectIn(objectIn(success, "content"), "application/json"), "example")),
  };
}

function curlOf(
  method: HttpMethod,
  path: string,
  type: string | undefined,
  body: string | undefined,
): string {
  const lines = [
    `curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} "$BASE_URL${path}"`,
    `-H "Authorization: Bearer $POSTERN_KEY"`,
    ...(type === undefined ? [] : [`-H "Content-Type: ${type}"`]),
    ...(body === undefined ? [] : [`-d '${body.replaceAll("'", "'\\''")}'`]),
  ];
  return lines.join(" \\\n  ");
}

function pretty(example: Json): string | undefined {
  return Object.keys(example).length === 0 ? undefined : JSON.stringify(example, undefined, 2);
}

function parameterOf(input: Parameter | Reference, document: OpenApiDocument) {
  const { name, in: where, description, required, schema } = resolve(input, document) as unknown as Parameter;
  return { name, where, description: `${description}.`, required, type: typeOf(schema, document) };
}

function schemaIn(response: Json): Json {
  return objectIn(objectIn(objectIn(response, "content"), "application/json"), "schema");
}

function resolve(value: unknown, document: OpenApiDocument): Json {
  if (!isObject(value)) return {};
  if (typeof value.$ref !== "string") return value;
  const steps = value.$ref.replace(/^#\//, "").split("/");
  return resolve(
    steps.reduce<unknown>((found, step) => objectIn(found, step), document),
    document,
  );
}

function membersOf(schema: Json, document: OpenApiDocument): ApiMember[] {
  const parts = Array.isArray(schema.allOf) ? schema.allOf.map((part) => resolve(part, document)) : [schema];
  return parts.flatMap((part) => {
    const required = Array.isArray(part.required) ? part.required : [];
    const closed = part.additionalProperties === false;
    return Object.entries(objectIn(part, "properties")).map(([name, member]) => ({
      name,
      type: typeOf(isObject(member) ? member : {}, document),
      description: sentence(isObject(member) ? member : {}),
      // Only fields of requests are marked as required, because a response contains every field.
      required: closed && required.includes(name),
    }));
  });
}

function sentence({ description = "", default: otherwise, enum: values, readOnly }: Json): string {
  const named = Array.isArray(values) ? values.filter((value) => value !== null) : [];
  const areDescribed = named.every((value) => String(description).includes(`\`${value}\``));
  const remarks = [
    ...(areDescribed ? [] : [`One of ${named.join(", ")}.`]),
    ...(otherwise !== undefined ? [`Default ${JSON.stringify(otherwise)}.`] : []),
    ...(readOnly === true ? ["Set by the server."] : []),
  ];
  return [`${description}${description === "" ? "" : "."}`, ...remarks].join(" ").trim();
}

function typeOf(input: unknown, document: OpenApiDocument): string {
  const schema = resolve(input, document);
  if (Array.isArray(schema.oneOf)) {
    return [...new Set(schema.oneOf.map((one) => typeOf(one, document)))].join(" or ");
  }
  const { type, format, items, enum: values, minimum, maximum, maxLength, minLength } = schema;
  const names = (Array.isArray(type) ? type : [type ?? (values === undefined ? "any" : "string")]).map(
    (name) => (name === "array" ? `list of ${typeOf(items, document)}` : String(name)),
  );
  const limits = [
    ...(minimum !== undefined || maximum !== undefined ? [`${minimum ?? "…"} to ${maximum ?? "…"}`] : []),
    ...(maxLength !== undefined ? [`${minLength ?? 0} to ${maxLength} characters`] : []),
  ];
  return [names.join(" or "), ...(format === undefined ? [] : [String(format)]), ...limits].join(", ");
}
