import type { OpenApiDocument } from "../../src/api/openapi.ts";
import { clientSource } from "./client_source.ts";
import { typesSource } from "./types_source.ts";

/** Not in the repository: `npm run prepare` writes it, and so does the build of a package. */
export const generatedFolder = new URL("../../src/client/generated/", import.meta.url);

/** Returns the address and the text of each generated file. */
export async function generatedFiles(document: OpenApiDocument): Promise<[URL, string][]> {
  const file = (name: string, text: string): [URL, string] => [new URL(name, generatedFolder), text];
  return [file("types.ts", await typesSource(document)), file("calls.ts", clientSource(document))];
}
