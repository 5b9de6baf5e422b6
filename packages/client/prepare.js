// npm's "prepare": writes the generated part of the client. It does nothing if the development packages
// are missing or if this Node cannot run TypeScript: the server and its commands do not need the client.
import { createRequire } from "node:module";

function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

if (process.features.typescript && isInstalled("openapi-typescript")) await import("./write_client.ts");
