/**
 * What no linter of ours can say of `src`. Rooms, packages, circles and modules of Node are the rules of
 * `.dependency-cruiser.mjs`; default exports, the environment and requests to other hosts those of `biome.json`.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { test } from "node:test";
import {
  isCallExpression,
  isPropertyAccessExpression,
  isStringLiteral,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { parse, walk } from "./support/parsed_sources.ts";

const source = join(import.meta.dirname, "..", "src");

/** Statements that only declare. Every other one at the top of a file is work done on import. */
const declarations: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ImportDeclaration,
  SyntaxKind.ExportDeclaration,
  SyntaxKind.VariableStatement,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.ModuleDeclaration,
]);

function breaches(path: string, file: SourceFile): string[] {
  const found: string[] = [];
  const endsProcesses = /^(main\.ts|cli\/|server\/)/.test(path);
  if (path !== "main.ts" && file.statements.some(({ kind }) => !declarations.has(kind)))
    found.push(`${path} does work when it is imported`);
  walk(file, (node) => {
    if (!isCallExpression(node)) return;
    const [argument] = node.arguments;
    if (node.expression.kind === SyntaxKind.ImportKeyword && (!argument || !isStringLiteral(argument)))
      found.push(`${path} imports a module whose name is not a literal`);
    const called = isPropertyAccessExpression(node.expression) ? node.expression.getText() : "";
    if (called === "process.exit" && !endsProcesses) found.push(`${path} ends the process`);
  });
  return found;
}

async function breachesIn(sources: ReadonlyMap<string, string>): Promise<string[]> {
  return [...(await parse(sources))].flatMap(([path, file]) => breaches(path, file));
}

test("no file of src works when it is imported, hides the name of an import or ends the process", async () => {
  const paths = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  const sources = new Map(
    paths.map((path) => [path.split(sep).join("/"), readFileSync(join(source, path), "utf8")]),
  );
  assert.ok(sources.size > 0);
  assert.deepEqual(await breachesIn(sources), []);
});

test("each of these breaches is seen", async () => {
  const sources = new Map([
    ["web/a.ts", "export const x = 1;\nconsole.log(x);\n"],
    ["oauth/b.ts", "export const y = (name: string) => import(name);\n"],
    ["admin/c.ts", "export const z = () => process.exit(1);\n"],
  ]);
  assert.deepEqual(await breachesIn(sources), [
    "web/a.ts does work when it is imported",
    "oauth/b.ts imports a module whose name is not a literal",
    "admin/c.ts ends the process",
  ]);
});
