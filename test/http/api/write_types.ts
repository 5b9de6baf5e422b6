/**
 * Writes `types.ts`, the types of a client of the management API, from the OpenAPI document of the server.
 */
import { writeFile } from "node:fs/promises";
import { openApiDocument } from "../../../src/http/api/openapi.ts";
import { apiTypes } from "./types_source.ts";

const document = openApiDocument({ issuer: "https://id.example", session_cookie: "__Host-postern_session" });
await writeFile(new URL("types.ts", import.meta.url), await apiTypes(document));
