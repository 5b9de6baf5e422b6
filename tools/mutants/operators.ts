/** Generates the possible mutations of a source file. */
import { createHash } from "node:crypto";
import { stripTypeScriptTypes } from "node:module";
import { basename } from "node:path";
import {
  isArrowFunction,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isConstructorDeclaration,
  isExpressionStatement,
  isFunctionDeclaration,
  isFunctionExpression,
  isIfStatement,
  isInterfaceDeclaration,
  isMethodDeclaration,
  isNumericLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSpreadElement,
  isStringLiteral,
  isTemplateExpression,
  isThrowStatement,
  isTypeAliasDeclaration,
  isTypeNode,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";

export interface Mutant {
  /**
   * Equal in two checkouts if the file's name and the text of the outermost function around the mutation
   * are equal; the folder may differ.
   */
  readonly id: string;
  /** The path below `src`, with slashes. */
  readonly path: string;
  readonly operator: string;
  /** Offsets of the replaced text. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly line: number;
}

const otherComparison: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
};

type Plant = (operator: string, start: number, end: number, replacement: string) => void;

/** A condition of SQL, from `AND` to the end of the line or template. */
const conjunct = /\bAND\b[^\n`]*/g;

const isBalanced = (text: string) =>
  ["()", "{}"].every(([open = "", close = ""]) => text.split(open).length === text.split(close).length);

function plantAt(node: Node, parent: Node | undefined, file: SourceFile, plant: Plant): void {
  const start = node.getStart(file);
  const textOf = (part: Node) => file.text.slice(part.getStart(file), part.end);
  const whole = (operator: string, replacement: string) => plant(operator, start, node.end, replacement);
  if (isIfStatement(node) || isConditionalExpression(node)) {
    const condition = isIfStatement(node) ? node.expression : node.condition;
    plant("negated condition", condition.getStart(file), condition.end, `!(${textOf(condition)})`);
  }
  if (isExpressionStatement(node)) {
    const called = isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    if (isCallExpression(called) && textOf(called.expression) !== "super") whole("removed call", ";");
  }
  if (isThrowStatement(node)) whole("removed throw", ";");
  const isGuarded = parent && (isIfStatement(parent) || isBlock(parent));
  if (isReturnStatement(node) && isGuarded && node.end < parent.end - 1) whole("removed return", ";");
  if (isReturnStatement(node) && parent && isIfStatement(parent)) whole("removed return", ";");
  const isName = parent && isPropertyAssignment(parent) && parent.name === node;
  if (isNumericLiteral(node) && !isName) whole("changed constant", `(${textOf(node)} + 1)`);
  // Excludes module paths, and strings with spaces, which are messages for humans.
  if (isStringLiteral(node) && !isName && !/\s/.test(node.text) && !/^[.]{0,2}\/.*\.[jt]s$/.test(node.text))
    whole("changed constant", JSON.stringify(`${node.text}~`));
  if (isCallExpression(node)) {
    const [first, second] = node.arguments;
    const fits = (part: Node | undefined) => part && !isSpreadElement(part) && !isArrowFunction(part);
    if (first && second && fits(first) && fits(second) && textOf(first) !== textOf(second)) {
      const between = file.text.slice(first.end, second.getStart(file));
      plant("swapped arguments", first.getStart(file), second.end, textOf(second) + between + textOf(first));
    }
    const { expression } = node;
    if (isPropertyAccessExpression(expression) && expression.name.text === "where")
      plant("dropped condition of SQL", expression.expression.end, node.end, "");
  }
  if (isTemplateExpression(node))
    for (const { 0: part, index } of textOf(node).matchAll(conjunct))
      if (isBalanced(part)) plant("dropped condition of SQL", start + index, start + index + part.length, "");
  if (isBinaryExpression(node)) {
    const token = node.operatorToken;
    const other = otherComparison[textOf(token)];
    if (other) plant("changed comparison", token.getStart(file), token.end, other);
  }
}

const isFunction = (node: Node) =>
  [
    isFunctionDeclaration,
    isFunctionExpression,
    isArrowFunction,
    isMethodDeclaration,
    isConstructorDeclaration,
  ].some((is) => is(node));

/** Returns the mutants of a file's functions. Types and top-level code are not mutated. */
export function mutantsOf(path: string, file: SourceFile): Mutant[] {
  const found = new Map<string, Mutant>();
  const seen = new Map<string, number>();
  const visit = (node: Node, parent: Node | undefined, outer: { start: number; key: string } | undefined) => {
    if (isTypeNode(node) || isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)) return;
    let around = outer;
    if (!around && isFunction(node)) {
      const start = node.getStart(file);
      const digest = createHash("sha256").update(file.text.slice(start, node.end)).digest("hex").slice(0, 16);
      const occurrence = seen.get(digest) ?? 0;
      seen.set(digest, occurrence + 1);
      around = { start, key: `${basename(path)} ${digest}.${occurrence}` };
    }
    if (around) {
      const { start: origin, key } = around;
      plantAt(node, parent, file, (operator, start, end, replacement) => {
        const id = `${key} +${start - origin}-${end - origin} ${operator}`;
        const line = file.text.slice(0, start).split("\n").length;
        found.set(id, { id, path, operator, start, end, replacement, line });
      });
    }
    node.forEachChild((child) => visit(child, node, around));
  };
  visit(file, undefined, undefined);
  return [...found.values()];
}

/** Returns the source with the mutation; undefined if it does not parse. */
export function planted(text: string, { start, end, replacement }: Mutant): string | undefined {
  const changed = text.slice(0, start) + replacement + text.slice(end);
  try {
    stripTypeScriptTypes(changed);
    return changed;
  } catch {
    return undefined;
  }
}
