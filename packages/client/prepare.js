// npm's "prepare": writes the generated part of the client. It stays away where no development packages are,
// and where npm runs on a Node that reads no TypeScript: the server and its commands do without.
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
