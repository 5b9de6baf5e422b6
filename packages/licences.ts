import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { packageFolder } from "./bundling.ts";
import { root } from "./packing.ts";

/** Returns the licenses of the packages in these bundles, as text. */
export function licences(bundles: readonly Metafile[]): string {
  const paths = bundles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = paths.flatMap((path) => packageFolder(path) ?? []);
  const texts = [...new Set(folders)].toSorted().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
    const files = globSync("{LICENSE,LICENCE,License,license}*", { cwd: join(root, path) });
    const [text = ""] = files.map((file) => readFileSync(join(root, path, file), "utf8").trim());
    return [`${name} ${version} (${license})`, text].join("\n\n");
  });
  return `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
