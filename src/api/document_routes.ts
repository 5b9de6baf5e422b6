import type { FastifyInstance } from "fastify";
import { serverBrand } from "../http/branding.ts";
import { jsonRepresentation, type Representation, sendConditionally } from "../http/conditional.ts";
import { cookieName } from "../http/cookies.ts";
import { getAndHead } from "../http/get_and_head.ts";
import { gzipped } from "../http/gzipped.ts";
import { sendPage } from "../http/page.ts";
import { cacheFor } from "../http/security_headers.ts";
import { queryOf } from "../http/target.ts";
import { ownDataVersion, ownTables } from "../people/account/export_data.ts";
import { mayExport, ownDataPath } from "../people/account/own_data.routes.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";
import type { Html } from "../web/html/html.ts";
import { languageOr } from "../web/words/language.ts";
import { wordsOf } from "../web/words/words.ts";
import { apiDocsPage } from "./api_docs_page.ts";
import { docsOf, narrowed } from "./docs.ts";
import { type OpenApiDocument, openApiDocument } from "./openapi.ts";
import { shownSchema } from "./schemas.ts";

/** Seconds for which clients may cache the document. The time is short, because an upgrade may change it. */
const maxAge = 300;

const documentPath = "/api/openapi.json";

interface Documents {
  readonly document: OpenApiDocument;
  readonly openapi: Representation;
  readonly page: (search?: string) => Html;
}

function makeDocuments({ server, secure, languages, brand = {}, version }: HttpContext): Documents {
  const session_cookie = cookieName("session", secure);
  const document = openApiDocument({ issuer: server.issuer, session_cookie, version });
  const docs = docsOf(document, documentPath);
  const of = { words: wordsOf(languageOr("en", languages)), server: serverBrand(brand) };
  const whole = apiDocsPage({ ...docs, ...of });
  return {
    document,
    openapi: jsonRepresentation(document),
    page: (search = "") => (search.trim() === "" ? whole : apiDocsPage({ ...narrowed(docs, search), ...of })),
  };
}

/**
 * Registers the routes of the OpenAPI document and of the page that shows it. Returns a function that returns
 * the document, for other pages derived from it.
 */
export function apiDocumentRoutes(app: FastifyInstance, context: HttpContext): () => OpenApiDocument {
  // The documents are created on the first request, so that the server starts faster.
  let made: Documents | undefined;
  const documents = () => {
    made ??= makeDocuments(context);
    return made;
  };
  getAndHead(app, documentPath, { config: { errorFormat: "problem", kept: true } }, async (request, reply) =>
    sendConditionally(request, cacheFor(reply, maxAge), documents().openapi),
  );
  getAndHead(
    app,
    "/api/docs",
    { config: { errorFormat: "page" }, onSend: gzipped() },
    async (request, reply) => {
      const search = queryOf(request).get("q")?.slice(0, 100);
      return sendPage(reply, documents().page(search));
    },
  );
  return () => documents().document;
}

function ownDataSchema(): object {
  const records = ownTables.map((table) => [table, { type: "array", items: shownSchema(table) }] as const);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Data that Postern stores about a user",
    type: "object",
    properties: {
      version: { const: ownDataVersion },
      exported_at: { type: "string", format: "date-time" },
      records: { type: "object", properties: Object.fromEntries(records), required: ownTables },
    },
    required: ["version", "exported_at", "records"],
  };
}

/** `/account/data/schema.json`: the schema of the file with a user's data (SS-11). */
export function ownDataSchemaRoute(app: FastifyInstance, context: HttpContext): void {
  if (!mayExport(context)) return;
  getAndHead(app, `${ownDataPath}/schema.json`, {}, async (_, reply) =>
    reply.type("application/schema+json; charset=utf-8").send(ownDataSchema()),
  );
}
