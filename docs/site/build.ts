/** `npm run docs`: the documents as a site with a search, in `dist/docs`. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { scenarioDocuments } from "./stage.ts";

const usage = `Builds a site of the documents, with a search, in dist/docs.

npm run docs [-- --base PATH | --serve]

  --base PATH  the base path of the site (/)
  --serve      serve the last build at http://localhost:4173 without building

The first run installs the generator (docs/site/package-lock.json, 102 MB). Exit code 1 if a link is broken.
`;

const { values } = parseArgs({
  options: {
    base: { type: "string", default: "/" },
    serve: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const site = import.meta.dirname;

function run(program: string, ...args: string[]): void {
  const env = { ...process.env, DOCS_BASE: values.base };
  // npm is a script for a shell on Windows.
  execFileSync(program, args, { cwd: site, env, stdio: "inherit", shell: process.platform === "win32" });
}

if (values.help) process.stdout.write(usage);
else {
  if (!existsSync(join(site, "node_modules", "vitepress"))) run("npm", "ci", "--ignore-scripts");
  const generator = join(site, "node_modules", "vitepress", "bin", "vitepress.js");
  if (values.serve) run(process.execPath, generator, "preview", ".", "--port", "4173", "--host", "127.0.0.1");
  else {
    scenarioDocuments(join(site, "source"));
    run(process.execPath, generator, "build", ".");
  }
}
