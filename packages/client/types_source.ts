/** Generates types from an OpenAPI document with `openapi-typescript`. */
import { registerHooks } from "node:module";

const head = `// biome-ignore-all lint: generated from /api/openapi.json by npm run client; not to be edited.
`;

/** Removes descriptions from the document, so that the types change only with the schemas. */
function wordless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wordless);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, item]) => !(["description", "summary"].includes(name) && typeof item === "string"),
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, wordless(item)]));
}

/** Returns the text of `src/client/generated/types.ts`, unformatted. */
export async function typesSource(document: object): Promise<string> {
  // `openapi-typescript` uses the programming interface of TypeScript before version 7, which a separate
  // package provides.
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === "typescript" ? "@ts-morph/common/dist/typescript.js" : specifier, context),
  });
  try {
    const { default: openapiTS, astToString } = await import("openapi-typescript");
    const nodes = await openapiTS(wordless(document) as never);
    return head + astToString(nodes);
  } finally {
    hooks.deregister();
  }
}
