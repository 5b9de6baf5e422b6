/**
 * "Try it" in the API reference: runs one operation with the reader's session. A change must be confirmed
 * first.
 */

import type { FastifyInstance, FastifyRequest, HTTPMethods } from "fastify";
import { sendPage } from "../http/page.ts";
import { originOf } from "../http/request_origin.ts";
import { type Params, paramsOf } from "../oauth/core/params.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";
import { type PageContext, personPages } from "../people/core/pages/person_pages.http.ts";
import { isObject } from "../records/names/json_shapes.ts";
import { languageOr } from "../web/words/language.ts";
import { wordsOf } from "../web/words/words.ts";
import { type ApiTryPage, apiTryPage } from "./api_try_page.ts";
import type { OpenApiDocument } from "./openapi.ts";
import { type HttpMethod, isStreamed, type Operation, type Parameter, type Reference } from "./operation.ts";

const mostShown = 30_000;

interface Tried {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function tryRoutes(app: FastifyInstance, context: HttpContext, document: () => OpenApiDocument): void {
  const pages = personPages(app, context, async (person: PageContext) => person);
  const path = "/api/docs/try/:id";

  pages.get(path, async ({ id, params, csrf_token }, request, reply) => {
    const tried = findOperation(document(), id);
    if (tried === undefined) return reply.redirect("/api/docs", 303);
    // Only the forms of GET operations are prefilled from the query. Otherwise a link on another site could
    // prefill a request that changes something.
    const input = tried.method === "GET" ? params : paramsOf([]);
    const page = pageOf(tried, input, csrf_token, request);
    if (tried.method !== "GET" || params.get("send") !== "1") return sendPage(reply, apiTryPage(page));
    return sendPage(reply, apiTryPage({ ...page, answer: await send(page, request) }));
  });

  pages.post(path, async ({ id, params, csrf_token }, request, reply) => {
    const tried = findOperation(document(), id);
    if (tried === undefined || tried.method === "GET") return reply.redirect("/api/docs", 303);
    const page = pageOf(tried, params, csrf_token, request);
    if (params.get("confirmed") !== "yes") {
      return sendPage(reply, apiTryPage({ ...page, waiting: { url: urlOf(page) } }));
    }
    return sendPage(reply, apiTryPage({ ...page, answer: await send(page, request) }));
  });

  function pageOf(tried: Tried, params: Params, csrf_token: string, { server }: FastifyRequest): ApiTryPage {
    const { method, operation } = tried;
    const known = (operation.parameters ?? []).map((each) => resolved(document(), each));
    const shown = known.filter((parameter) => parameter.in !== "header");
    return {
      id: operation.operationId,
      method,
      path: tried.path,
      summary: operation.summary,
      csrf_token,
      parameters: shown.map(({ name, description, required = false }) => ({
        ...{ name, description, required },
        value: params.get(`p_${name}`) ?? "",
      })),
      body: operation.requestBody === undefined ? undefined : (params.get("body") ?? exampleOf(operation)),
      words: wordsOf(languageOr("en", context.languages)),
      server: server.brand,
    };
  }

  /** Sends the request through this application, as a page would: with the reader's cookie. */
  async function send(page: ApiTryPage, request: FastifyRequest): Promise<ApiTryPage["answer"]> {
    const url = urlOf(page);
    const { host, cookie, "user-agent": agent } = request.headers;
    const sent = await request.server.inject({
      method: page.method as HTTPMethods & "GET",
      url,
      remoteAddress: originOf(request).client_ip ?? "",
      headers: {
        ...(host !== undefined && { host }),
        ...(cookie !== undefined && { cookie }),
        ...(agent !== undefined && { "user-agent": agent }),
        origin: context.server.issuer,
        "sec-fetch-site": "same-origin",
        ...(page.body !== undefined && { "content-type": "application/json" }),
      },
      ...(page.body !== undefined && { payload: page.body }),
    });
    const exposed = ["content-type", "etag", "location", "ratelimit", "retry-after"];
    const headers = exposed.flatMap((name) => {
      const value = sent.headers[name];
      return value === undefined ? [] : [[name, String(value)] as const];
    });
    return { url, status: sent.statusCode, headers, body: legible(sent.body) };
  }
}

/** Exports as JSON Lines cannot be tried, because their whole response would be buffered in memory. */
function findOperation({ paths }: OpenApiDocument, id: string): Tried | undefined {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item) as [HttpMethod, Operation][]) {
      if (operation.operationId === id && !isStreamed(operation))
        return { method: method.toUpperCase(), path, operation };
    }
  }
  return undefined;
}

function resolved({ components }: OpenApiDocument, input: Parameter | Reference): Parameter {
  if (!("$ref" in input)) return input;
  const found = components.parameters[input.$ref.split("/").at(-1) ?? ""];
  if (found === undefined) throw new TypeError(`the document has no ${input.$ref}`);
  return found;
}

function exampleOf({ requestBody }: Operation): string {
  const [content] = isObject(requestBody?.content) ? Object.values(requestBody.content) : [];
  return isObject(content) ? JSON.stringify(content.example, undefined, 2) : "";
}

function urlOf({ path, parameters }: Pick<ApiTryPage, "path" | "parameters">): string {
  const value = (name: string) =>
    encodeURIComponent(parameters.find((each) => each.name === name)?.value ?? "");
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => value(name));
  const query = parameters
    .filter((each) => each.value !== "" && !path.includes(`{${each.name}}`))
    .map(({ name }) => `${name}=${value(name)}`);
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

function legible(body: string): string {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    // JSON Lines and empty responses are shown unchanged.
  }
  return text.length > mostShown ? `${text.slice(0, mostShown)}\n…` : text;
}
