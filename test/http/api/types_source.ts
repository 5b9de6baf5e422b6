/** What `openapi-typescript` makes of an OpenAPI document, formatted as the house is. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { registerHooks } from "node:module";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const head = `// biome-ignore-all lint: generated from /api/openapi.json by write_types.ts; not to be edited.
`;

/** The document without its words, so that the types change only when what they say does. */
function wordless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wordless);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, item]) => !(["description", "summary"].includes(name) && typeof item === "string"),
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, wordless(item)]));
}

export async function apiTypes(document: object): Promise<string> {
  // It works on the programming interface of TypeScript before version 7, which comes in a package of another
  // name.
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === "typescript" ? "@ts-morph/common/dist/typescript.js" : specifier, context),
  });
  try {
    const { default: openapiTS, astToString } = await import("openapi-typescript");
    const nodes = await openapiTS(wordless(document) as never);
    return await formatted(head + astToString(nodes));
  } finally {
    hooks.deregister();
  }
}

async function formatted(source: string): Promise<string> {
  const biome = fileURLToPath(new URL("../../../node_modules/@biomejs/biome/bin/biome", import.meta.url));
  const child = spawn(process.execPath, [biome, "format", "--stdin-file-path=test/http/api/types.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(source);
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (child.exitCode !== 0) throw new Error(`biome ended with ${child.exitCode}`);
  return output;
}
