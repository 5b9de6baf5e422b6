/** `npm run client`: the generated part of `@postern/client`, from the OpenAPI document of the server. */
import { writeFile } from "node:fs/promises";
import { openApiDocument } from "../../src/api/openapi.ts";
import { generatedFiles } from "./generated_files.ts";

const document = openApiDocument({ issuer: "https://id.example", session_cookie: "__Host-postern_session" });
for (const [path, text] of await generatedFiles(document)) await writeFile(path, text);
