/** `npm run prose`: warns of words that make English read as translated, each with what to write instead. */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { parseArgs } from "node:util";

const usage = `Warns of words that make English read as translated. It never fails.

npm run prose [-- --all]

  --all   every place; without it the first three of each word
`;

/** What is read where: comments of code, strings that people read, documents. */
type Kind = "comments" | "strings" | "documents";

interface Advice {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Where the pattern is looked for; everywhere without it. */
  readonly kinds?: readonly Kind[];
}

const read: readonly Kind[] = ["strings", "documents"];

/** The reasons are in docs/decisions/languages.md. */
const advice: readonly Advice[] = [
  { pattern: /\b(nobody|somebody|whoever|whosoever)\b/i, instead: "the role, or the passive" },
  { pattern: /\b(is|are) gone\b/i, instead: "deleted, revoked, expired or ended" },
  { pattern: /\b(is|are) none of\b/i, instead: "belongs to, is not defined by, needs" },
  { pattern: /\bany more\b|\bno more\b/i, instead: "no longer" },
  {
    pattern: /\b(stands?|hangs?|rests?) (in|on|for|here|there|twice|beside)\b/i,
    instead: "depends on, is in, means",
  },
  { pattern: /\bbeside(s)?\b|\belsewhere\b/i, instead: "with, next to, on another server" },
  { pattern: /\bso that\b/i, instead: "so", kinds: read },
  { pattern: /\bleft (empty|open)\b/i, instead: "leave empty to …", kinds: read },
  { pattern: /\bto a line\b/i, instead: "per line", kinds: read },
  { pattern: /\btak(e|en|es)\b( \w+){0,4} away\b/i, instead: "remove, clear", kinds: read },
  { pattern: /\bmend\b(?!:)/i, instead: "fix", kinds: read },
  { pattern: /\bgo together\b/i, instead: "wrong", kinds: read },
  {
    pattern: /\ball the same\b|\bin silence\b|\bon the way\b|\bfor want of\b/i,
    instead: "but; ignored; without",
    kinds: read,
  },
  {
    pattern: /\bmake (a|an|the|another|new) (\w+ )?(account|app|codes?|key|link|secret)\b(?! public)/i,
    instead: "create",
    kinds: ["strings"],
  },
  { pattern: /\bas far as you (may|can)\b/i, instead: "with your permissions", kinds: read },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bwhen absent\b/i, instead: "without it", kinds: read },
  { pattern: /\bat once and for good\b/i, instead: "immediately and permanently" },
  { pattern: /\b(is|are) there already\b/i, instead: "already exists", kinds: read },
  { pattern: /\be-mails?\b/i, instead: "email" },
  { pattern: /\b(colours?|licences?|catalogues?)\b/i, instead: "American spelling", kinds: ["documents"] },
  {
    pattern: /(\/\*\*|\*|\/\/|[.:]) (what|who|whose|whom)\b/i,
    instead: "a noun as the head",
    kinds: ["comments"],
  },
  { pattern: /\b(asks?|asked) for\b/i, instead: "request, require", kinds: ["comments"] },
  { pattern: /\b(go|goes|going|gone) on\b/i, instead: "continue" },
  { pattern: /\bways? in\b(?! which)/i, instead: "sign-in method" },
  { pattern: /\b(tells?|told)\b/i, instead: "report, return, show, notify", kinds: ["comments"] },
  { pattern: /\bby (itself|themselves)\b/i, instead: "alone, automatically, separately" },
  { pattern: /\bof ours\b/i, instead: "our own", kinds: ["comments"] },
  { pattern: /\b(everybody|anybody)\b/i, instead: "all users, anyone" },
];

/** Words in a sentence of a comment: the aim is 25; a sentence that lists needs more. */
const longestSentence = 40;

/** Columns, those of the formatter. */
const width = 110;

interface Warning {
  readonly place: string;
  readonly text: string;
  readonly instead: string;
}

const comment = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))\s?(?<said>.*?)(?:\*\/)?$/;

function linesOf(path: string): [line: string, kind: Kind, at: number][] {
  const lines = readFileSync(path, "utf8").split("\n");
  if (path.endsWith(".md")) return lines.map((line, at) => [line, "documents", at + 1]);
  return lines.flatMap((line, at): [string, Kind, number][] => {
    const said = comment.exec(line)?.groups?.said;
    if (said !== undefined) return [[line, "comments", at + 1]];
    return /["`]/.test(line) && !/^\s*(import|export) .* from /.test(line) ? [[line, "strings", at + 1]] : [];
  });
}

function warningsOf(path: string): Warning[] {
  return linesOf(path).flatMap(([line, kind, at]) => {
    const place = `${path}:${at}`;
    const words = advice
      .filter(({ pattern, kinds }) => (kinds?.includes(kind) ?? true) && pattern.test(line))
      .map(({ pattern, instead }) => ({ place, text: pattern.exec(line)?.[0] ?? "", instead }));
    if (kind !== "comments") return words;
    const isLong = line.split(/\s+/).length > longestSentence || line.length > width;
    return isLong ? [...words, { place, text: "a long line", instead: `at most ${width} columns` }] : words;
  });
}

const { values } = parseArgs({ options: { all: { type: "boolean" }, help: { type: "boolean" } } });
if (values.help) process.stdout.write(usage);
else {
  const root = join(import.meta.dirname, "..");
  process.chdir(root);
  const paths = globSync(["{src,test,bench,examples}/**/*.ts", "*.md", "docs/*.md", "docs/operations/*.md"], {
    exclude: (name) => name === "node_modules" || name === "generated" || /^(de|es|fr|ja|pt|zh)$/.test(name),
  }).map((path) => path.split(sep).join("/"));
  const byAdvice = Map.groupBy(paths.flatMap(warningsOf), ({ instead }) => instead);
  for (const [instead, warnings] of byAdvice) {
    process.stdout.write(`${warnings.length} × write: ${instead}\n`);
    for (const { place, text } of values.all ? warnings : warnings.slice(0, 3))
      process.stdout.write(`  ${place}: ${text}\n`);
  }
}
