/** What is generated from the OpenAPI document, so that a test can ask whether it is still of this document. */
import type { OpenApiDocument } from "../../src/api/openapi.ts";
import { clientSource } from "./client_source.ts";
import { formatted } from "./formatted.ts";
import { typesSource } from "./types_source.ts";

/** The address and the text of each generated file. */
export async function generatedFiles(document: OpenApiDocument): Promise<[URL, string][]> {
  const texts = { "types.ts": await typesSource(document), "calls.ts": clientSource(document) };
  const folder = new URL("../../src/client/generated/", import.meta.url);
  const files = Object.entries(texts).map(
    async ([name, text]): Promise<[URL, string]> => [new URL(name, folder), await formatted(text)],
  );
  return Promise.all(files);
}
