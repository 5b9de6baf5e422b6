/** What is needed to put the server into few files by esbuild. */
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin } from "esbuild";
import { root } from "./packing.ts";

function replaced(text: string, pattern: string, by: string): string {
  if (!text.includes(pattern)) throw new Error(`${pattern} is not there any more: the bundle needs it`);
  return text.replaceAll(pattern, by);
}

/** The catalogues of words that are read by a name which is put together. */
function catalogues(): string {
  const names = globSync("*/{catalogue,management}.ts", { cwd: join(root, "src", "web", "words") });
  const cases = names.map((name) => {
    const path = JSON.stringify(`./${name.replaceAll("\\", "/")}`);
    return `case ${path}: return require(${path});`;
  });
  return `const read = (name: string): unknown => { switch (name) { ${cases.join(" ")} } };`;
}

/**
 * Each file goes on finding what lies beside it, and what it loads by name comes along. `urlOf` answers the
 * expression for the address of a file of `src/`.
 */
export function ownFiles(urlOf: (name: string) => string): Plugin {
  return {
    name: "files of the project",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        if (path.includes("node_modules")) return undefined;
        const name = relative(join(root, "src"), path).replaceAll("\\", "/");
        let contents = readFileSync(path, "utf8");
        if (name === "web/words/words.ts")
          contents = replaced(contents, "const read = createRequire(import.meta.url);", catalogues());
        if (name === "crypto/common_passwords.ts") {
          contents = replaced(contents, "const load = createRequire(import.meta.url);", "");
          contents = replaced(contents, "load(", "require(");
        }
        return { contents: contents.replaceAll("import.meta.url", urlOf(name)), loader: "ts" };
      });
    },
  };
}
