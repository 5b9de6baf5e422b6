#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read too: they are told what to do instead of failing on TypeScript.
import module from "node:module";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 24 || (major === 24 && minor < 21)) {
  process.stderr.write(
    `postern needs Node 24.21 or newer, and this is Node ${process.versions.node}. ` +
      "Run `npm ci`, which brings one as an optional package, and use `npm start`, `npx postern` or `npm exec postern`; " +
      "or install a newer Node.\n",
  );
  process.exitCode = 1;
} else {
  // Beside the packages, where nobody else can write what we would run. Without the cache the start takes longer; that is all.
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/postern", import.meta.url)));
  import("../src/main.ts");
}
