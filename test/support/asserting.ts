/**
 * Finds the tests that assert something: by calling `assert`, by throwing, or through a test helper that
 * does.
 */
import {
  type CallExpression,
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  isThrowStatement,
  isVariableDeclaration,
  type Node,
} from "typescript/unstable/ast";
import { parse, walk } from "./parsed_sources.ts";

/** A test as its source defines it. */
export interface TitledTest {
  readonly file: string;
  readonly title: string;
  readonly asserts: boolean;
}

/** Returns the name of a function, if it has one. */
function nameOf(node: Node): string | undefined {
  if ((isFunctionDeclaration(node) || isMethodDeclaration(node)) && node.name && isIdentifier(node.name)) {
    return node.name.text;
  }
  const value = isVariableDeclaration(node) || isPropertyAssignment(node) ? node.initializer : undefined;
  const isFunction = value !== undefined && (isArrowFunction(value) || isFunctionExpression(value));
  if (!isFunction) return undefined;
  const { name } = node as unknown as { readonly name: Node };
  return isIdentifier(name) ? name.text : undefined;
}

/** Returns all names of a call, the last one first: `rejects` and `assert` for `assert.rejects(…)`. */
function calledNames({ expression }: CallExpression): string[] {
  if (isIdentifier(expression)) return [expression.text];
  if (!isPropertyAccessExpression(expression)) return [];
  const names = [expression.name.text];
  for (let node: Node = expression.expression; ; ) {
    if (isIdentifier(node)) return [...names, node.text];
    if (!isPropertyAccessExpression(node)) return names;
    names.push(node.name.text);
    node = node.expression;
  }
}

function asserts(node: Node, known: ReadonlySet<string>): boolean {
  let found = false;
  walk(node, (inner) => {
    if (isThrowStatement(inner)) found = true;
    if (isCallExpression(inner) && calledNames(inner).some((name) => known.has(name))) found = true;
  });
  return found;
}

function titleOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
  return isTemplateExpression(node) ? node.head.text : undefined;
}

/** Returns every test of these sources, whose keys are paths. */
export async function titledTests(sources: ReadonlyMap<string, string>): Promise<TitledTest[]> {
  const parsed = await parse(sources);
  const functions: { readonly name: string; readonly node: Node }[] = [];
  const calls: { readonly file: string; readonly title: string; readonly node: Node }[] = [];
  for (const [file, source] of parsed) {
    walk(source, (node) => {
      const name = nameOf(node);
      if (name !== undefined) functions.push({ name, node });
      if (!isCallExpression(node) || !isIdentifier(node.expression)) return;
      if (!["test", "it"].includes(node.expression.text)) return;
      const title = titleOf(node.arguments[0]);
      const body = node.arguments.at(-1);
      if (title !== undefined && body !== undefined) calls.push({ file, title, node: body });
    });
  }
  const known = new Set(["assert"]);
  for (let before = 0; before < known.size; ) {
    before = known.size;
    for (const { name, node } of functions) if (!known.has(name) && asserts(node, known)) known.add(name);
  }
  return calls.map(({ file, title, node }) => ({
    file,
    title,
    asserts: asserts(node, known) || (isIdentifier(node) && known.has(node.text)),
  }));
}
