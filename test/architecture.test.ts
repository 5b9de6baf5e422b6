/**
 * Rules for `src` that no linter can check. `.dependency-cruiser.mjs` has the rules for folders, packages,
 * cycles and modules of Node; `biome.json` has those for default exports, the environment and outbound
 * requests.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { test } from "node:test";
import {
  type Expression,
  isArrayLiteralExpression,
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isStringLiteral,
  isVariableStatement,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { type DeliveryKindName, deliveryKinds } from "../src/records/names/deliveries.ts";
import { parse, walk } from "./support/parsed_sources.ts";

const source = join(import.meta.dirname, "..", "src");

/** Statements that only declare. Any other top-level statement of a file runs on import. */
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

/** The entry points of the process and of a thread. */
const programs: ReadonlySet<string> = new Set(["main.ts", "outbound/outbound_program.ts"]);

/**
 * Returns the values of a file that can change after the import, and that two servers in one process would
 * share.
 */
function stateOf(file: SourceFile): string[] {
  return file.statements.filter(isVariableStatement).flatMap(({ declarationList }) => {
    const isConst = declarationList.getText().startsWith("const ");
    return declarationList.declarations
      .filter(({ type, initializer }) => {
        const input = type?.getText() ?? "";
        return !isConst || (!/^(?:readonly |Readonly)/.test(input) && initializer && isFillable(initializer));
      })
      .map(({ name }) => name.getText());
  });
}

/** A constant map or set has a type that begins with `Readonly`. A weak map or set is never constant. */
const collections: ReadonlySet<string> = new Set(["Map", "Set", "WeakMap", "WeakSet"]);

function isFillable(value: Expression): boolean {
  if (isArrayLiteralExpression(value)) return value.elements.length === 0;
  if (isObjectLiteralExpression(value)) return value.properties.length === 0;
  return isNewExpression(value) && isIdentifier(value.expression) && collections.has(value.expression.text);
}

function breaches(path: string, file: SourceFile): string[] {
  const found: string[] = [];
  const endsProcesses = /^(main\.ts|cli\/|server\/)/.test(path);
  if (!programs.has(path) && file.statements.some(({ kind }) => !declarations.has(kind)))
    found.push(`${path} does work when it is imported`);
  found.push(...stateOf(file).map((name) => `${path} keeps state in ${name}`));
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

/** Returns the pairs of folders whose files import each other, by their paths below `src`. */
function mutualFolders(sources: ReadonlyMap<string, string>): string[] {
  const imports = new Set<string>();
  for (const [path, text] of sources)
    for (const [, name = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+)"/g))
      imports.add(`${posix.dirname(path)} ${posix.dirname(posix.join(posix.dirname(path), name))}`);
  return [...imports].filter((each) => {
    const [from = "", to = ""] = each.split(" ");
    return from < to && from !== "." && imports.has(`${to} ${from}`);
  });
}

function allSources(): ReadonlyMap<string, string> {
  const paths = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.includes("generated"),
  );
  assert.ok(paths.length > 0);
  return new Map(paths.map((path) => [path.split(sep).join("/"), readFileSync(join(source, path), "utf8")]));
}

test("no two folders import each other", () => {
  assert.deepEqual(mutualFolders(allSources()), []);
});

test("no folder has more than 40 files of its own, except words and migrations", () => {
  const folders = Map.groupBy(allSources().keys(), (path) => posix.dirname(path));
  const grows = /^(?:web\/words\/\w+|storage\/migrations)$/;
  const large = [...folders].filter(([name, files]) => files.length > 40 && !grows.test(name));
  assert.deepEqual(large, []);
});

/** Files that write rows of one kind of delivery. All other files treat every kind in the same way. */
const writersOfKinds: Readonly<Record<DeliveryKindName, readonly string[]>> = {
  logout_token: ["admin/records/deliveries.ts", "storage/database/logout_notices.ts"],
  security_event_token: [
    "oauth/signals/delivery_row.ts",
    "oauth/signals/pump.ts",
    "oauth/signals/streams.ts",
  ],
  webhook: ["admin/records/webhooks.ts", "storage/operation/webhooks.ts"],
};

test("FO-2: each kind of delivery is one file, and only the list of all kinds imports it", () => {
  const sources = allSources();
  for (const kind of deliveryKinds) {
    const own = `oauth/deliveries/${kind}.ts`;
    const named = new RegExp(`\\bkind\\b[^,\\n]*"${kind}"`);
    const naming = [...sources].filter(([, text]) => named.test(text)).map(([path]) => path);
    assert.deepEqual(naming.toSorted(), writersOfKinds[kind]);
    assert.match(sources.get(own) ?? "", new RegExp(`: DeliveryKind = \\{\n  name: "${kind}",`));
    const imported = new RegExp(`from "\\./${kind}\\.ts"|deliveries/${kind}\\.ts"`);
    const importing = [...sources].filter(([, text]) => imported.test(text)).map(([path]) => path);
    assert.deepEqual(importing, ["oauth/deliveries/all_kinds.ts"]);
  }
});

test("no source file has effects on import, keeps module state, shadows an import or ends the process", async () => {
  assert.deepEqual(await breachesIn(allSources()), []);
});

test("the architecture checks detect each kind of violation", async () => {
  const mutual = new Map([
    ["a/b.ts", 'import type { x } from "./c/d.ts";'],
    ["a/c/d.ts", 'const y = await import("../e.ts");'],
    ["f.ts", 'import { x } from "./a/b.ts";'],
    ["a/g.ts", 'import { x } from "../f.ts";'],
  ]);
  assert.deepEqual(mutualFolders(mutual), ["a a/c"]);
  const sources = new Map([
    ["web/a.ts", "export const x = 1;\nconsole.log(x);\n"],
    ["oauth/b.ts", "export const y = (name: string) => import(name);\n"],
    ["admin/c.ts", "export const z = () => process.exit(1);\n"],
    ["http/d.ts", "let d = 1;\nexport const e = new WeakMap<object, string>(), f: unknown[] = [];\n"],
    ["http/g.ts", "const g = new Map([[1, 2]]), h = {};\nexport const i: Set<string> = new Set();\n"],
    [
      "http/j.ts",
      "const j: readonly string[] = [], k: ReadonlySet<string> = new Set(), l = [1], m = { n: 1 };\n" +
        "export const o = () => new Map();\n",
    ],
  ]);
  assert.deepEqual(await breachesIn(sources), [
    "web/a.ts does work when it is imported",
    "oauth/b.ts imports a module whose name is not a literal",
    "admin/c.ts ends the process",
    ...["d", "e", "f"].map((name) => `http/d.ts keeps state in ${name}`),
    ...["g", "h", "i"].map((name) => `http/g.ts keeps state in ${name}`),
  ]);
});
