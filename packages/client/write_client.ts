/**
 * `npm run client`: writes the generated part of `@postern/client`, from the OpenAPI document of the
 * server.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { openApiDocument } from "../../src/api/openapi.ts";
import { generatedFiles, generatedFolder } from "./generated_files.ts";

const document = openApiDocument({ issuer: "https://id.example", session_cookie: "__Host-postern_session" });
await mkdir(generatedFolder, { recursive: true });
for (const [path, text] of await generatedFiles(document)) await writeFile(path, text);
