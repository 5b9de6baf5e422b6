/** Formats tables that fit the terminal. Without a terminal, nothing is shortened. */
import { type Screen, styled, visible } from "./terminal.ts";

type Row = readonly string[];

const gap = "  ";
const leastWidth = 8;

export function table(rows: readonly Row[]): string {
  return linesOf(rows.map((row) => row.map(visible)));
}

export function pairs(rows: readonly (readonly [name: string, value: string])[], screen: Screen): string {
  const width = Math.max(0, ...rows.map(([name]) => widthOf(visible(name))));
  const indent = " ".repeat(width + gap.length);
  return rows
    .map(([name, value]) => {
      const label = styled("bold", visible(name), screen) + " ".repeat(width - widthOf(visible(name)));
      const lines = brokenAtSpaces(
        visible(value),
        (screen.columns ?? Number.POSITIVE_INFINITY) - indent.length,
      );
      return `${label}${gap}${lines.join(`\n${indent}`)}`.trimEnd();
    })
    .join("\n");
}

function brokenAtSpaces(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || widthOf(line) + 1 + widthOf(word) > width) lines.push(word);
    else lines.splice(-1, 1, `${line} ${word}`);
  }
  return lines;
}

/**
 * Returns a list with its heading, narrowed to the terminal. If it is still too wide, each row becomes a
 * block with one line per column. A single word, such as an email address, is never cut. A column `id` may be
 * omitted unless it is the first.
 */
export function listTable(heading: Row, rows: readonly Row[], screen: Screen): string {
  const whole = rows.map((row) => row.map(visible));
  for (const [head, body] of narrower([...heading], whole, screen.columns)) {
    const text = linesOf([head, ...body]);
    if (!fits(text, screen)) continue;
    const [first = "", ...rest] = text.split("\n");
    return [styled("bold", first, screen), ...rest].join("\n");
  }
  const blocks = whole.map((row) =>
    pairs(
      heading.map((name, column) => [name, row[column] ?? ""] as const),
      screen,
    ),
  );
  return blocks.join("\n\n");
}

function* narrower(
  heading: readonly string[],
  rows: readonly Row[],
  columns: number | undefined,
): Generator<readonly [Row, readonly Row[]]> {
  yield [heading, rows];
  if (columns === undefined) return;
  const brief = rows.map((row) => row.map(briefMoment));
  yield [heading, brief];
  yield [heading, cut(heading, brief, columns)];
  const id = heading.indexOf("id");
  if (id <= 0) return;
  const [head, ...rest] = [heading, ...brief].map((row) => row.toSpliced(id, 1));
  yield [head ?? [], rest];
  yield [head ?? [], cut(head ?? [], rest, columns)];
}

/** Removes the seconds from a time; filters also accept the shortened time. */
function briefMoment(cell: string): string {
  return cell.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?Z$/, "$1Z");
}

function cut(heading: Row, rows: readonly Row[], columns: number): Row[] {
  const widths = widthsOf([heading, ...rows]);
  const floors = heading.map((name, column) => {
    const words = rows.filter((row) => !isText(row[column] ?? "")).map((row) => widthOf(row[column] ?? ""));
    return Math.max(leastWidth, widthOf(name), ...words);
  });
  let excess = widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - columns;
  while (excess > 0) {
    const spare = widths.map((width, column) => width - (floors[column] ?? 0));
    const widest = spare.indexOf(Math.max(...spare));
    if ((spare[widest] ?? 0) <= 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return rows.map((row) => row.map((cell, column) => shortened(cell, widths[column] ?? 0)));
}

const isText = (cell: string) => cell.includes(" ");

function shortened(cell: string, width: number): string {
  if (widthOf(cell) <= width || !isText(cell)) return cell;
  let kept = "";
  for (const character of cell) {
    if (widthOf(kept + character) >= width) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

function fits(text: string, { columns }: Screen): boolean {
  return columns === undefined || text.split("\n").every((line) => widthOf(line) <= columns);
}

function widthsOf(rows: readonly Row[]): number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ""))),
  );
}

function linesOf(rows: readonly Row[]): string {
  const widths = widthsOf(rows);
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)))
        .join(gap)
        .trimEnd(),
    )
    .join("\n");
}

/** Characters that terminals show two cells wide: wide East Asian ones (UAX 11) and emoji. */
const wide =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{33ff}\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{a000}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const without = /\p{Mn}|\p{Me}|\p{Cf}/u;
const plain = /^[\x20-\x7e]*$/;

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += without.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
