/** `npm run prose`: warns of words that make English read as translated, each with what to write instead. */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { parseArgs } from "node:util";

const usage = `Warns of words that make English read as translated. It never fails.

npm run prose [-- --all]

  --all   show every occurrence, not only the first three of each word
`;

/** Comments of code, titles of tests, strings that people read, documents. */
type Kind = "comments" | "titles" | "strings" | "documents";

interface Advice {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Where the pattern is looked for; everywhere without it. */
  readonly kinds?: readonly Kind[];
}

const read: readonly Kind[] = ["strings", "documents"];
const code: readonly Kind[] = ["comments", "titles"];

/** The reasons are in docs/decisions/languages.md. */
const advice: readonly Advice[] = [
  { pattern: /\b(nobody|somebody|whoever|whosoever)\b/i, instead: "the role, or the passive" },
  { pattern: /\b(everybody|anybody)\b/i, instead: "all users, anyone" },
  { pattern: /\b(is|are) gone\b/i, instead: "deleted, revoked, expired or ended" },
  { pattern: /\b(is|are) none of\b/i, instead: "belongs to, is not defined by, needs" },
  {
    pattern: /\bany more\b|\bno more\b(?! \w*\s?than)|\bno more than (it|they|that)\b/i,
    instead: "no longer",
  },
  {
    pattern: /\b(stands?|hangs?|rests?) (in|on|here|there|twice|beside)\b/i,
    instead: "depends on, is in, means",
  },
  { pattern: /\bbesides?\b|\belsewhere\b/i, instead: "with, next to, on another server" },
  { pattern: /\bso that\b/i, instead: "so", kinds: read },
  { pattern: /\bleft (empty|open)\b/i, instead: "leave empty to …", kinds: read },
  { pattern: /\bto a line\b/i, instead: "per line", kinds: read },
  { pattern: /\btak(e|en|es)\b( \w+){0,4} away\b/i, instead: "remove, clear", kinds: read },
  { pattern: /\bmend\b/i, instead: "fix" },
  { pattern: /\bgo together\b/i, instead: "wrong", kinds: read },
  {
    pattern: /\ball the same\b|\bin silence\b|\bon the way\b|\bfor want of\b/i,
    instead: "but; ignored; without",
  },
  {
    pattern: /\bmake (a|an|the|another|new) (\w+ )?(account|app|codes?|key|link|secret)\b(?! public)/i,
    instead: "create",
    kinds: ["strings"],
  },
  { pattern: /\bas far as you (may|can)\b/i, instead: "with your permissions", kinds: read },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bwhen absent\b/i, instead: "without it", kinds: read },
  { pattern: /\bfor good\b/i, instead: "permanently" },
  { pattern: /\b(is|are) (not )?there (already|any|any ?more)\b/i, instead: "exists" },
  { pattern: /\be-mails?\b/i, instead: "email" },
  { pattern: /\b(colours?|licences?)\b/i, instead: "American spelling" },
  {
    pattern: /(\/\*\*|\*|\/\/) (what|who|whose|whom)\b/i,
    instead: "a noun as the head",
    kinds: ["comments"],
  },
  {
    pattern: /["`]([A-Z]+-\d+,? ?)*:? ?(what|who|whose|whom) /i,
    instead: "a noun as the head",
    kinds: ["titles"],
  },
  { pattern: /\b(asks?|asked) for\b/i, instead: "request, require", kinds: ["comments"] },
  { pattern: /\b(goes|going|gone|go) on\b/i, instead: "continue" },
  { pattern: /\bways? in\b(?! which)/i, instead: "sign-in method" },
  { pattern: /\b(tells?|told)\b(?! apart)/i, instead: "report, return, show, notify", kinds: code },
  { pattern: /\bby (itself|themselves)\b/i, instead: "alone, automatically, separately" },
  { pattern: /\b(of|as|than) ours\b/i, instead: "our own", kinds: code },
  { pattern: /\bone's own\b|\boneself\b/i, instead: "the user's own", kinds: code },
];

/** Words in a line of a comment; columns of a line, those of the formatter. */
const mostWords = 40;
const width = 110;

interface Warning {
  readonly place: string;
  readonly text: string;
  readonly instead: string;
}

const comment = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))\s?(?<said>.*?)(?:\*\/)?$|\s\/\/ (?<trailing>.+)$/;
const title = /\b(?:test|it|describe)\(\s*["`]/;

/** Texts with a space in them; other strings are names. */
const text = /"[^"]*\s[^"]*"|`[^`]*\s[^`]*`|html`/;

/** A test's strings are its data, except titles. */
function kindOf(path: string, line: string): Kind | undefined {
  if (path.endsWith(".md")) return "documents";
  if (comment.test(line)) return "comments";
  if (path.startsWith("test/")) return title.test(line) ? "titles" : undefined;
  return text.test(line) && !/^\s*(import|export) .* from /.test(line) ? "strings" : undefined;
}

function linesOf(path: string): [line: string, kind: Kind, at: number][] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, at): [string, Kind, number][] => {
      const kind = kindOf(path, line);
      return kind === undefined ? [] : [[line, kind, at + 1]];
    });
}

function warningsOf(path: string): Warning[] {
  return linesOf(path).flatMap(([line, kind, at]) => {
    const place = `${path}:${at}`;
    const words = advice
      .filter(({ pattern, kinds }) => (kinds?.includes(kind) ?? true) && pattern.test(line))
      .map(({ pattern, instead }) => ({ place, text: pattern.exec(line)?.[0] ?? "", instead }));
    if (kind !== "comments") return words;
    const isLong = line.split(/\s+/).length > mostWords || line.length > width;
    return isLong ? [...words, { place, text: "a long line", instead: `at most ${width} columns` }] : words;
  });
}

const { values } = parseArgs({ options: { all: { type: "boolean" }, help: { type: "boolean" } } });
if (values.help) process.stdout.write(usage);
else {
  const root = join(import.meta.dirname, "..");
  process.chdir(root);
  const paths = globSync(
    ["{src,test,tools,packages,examples,deploy,docs}/**/*.ts", "*.md", "docs/*.md", "docs/operations/*.md"],
    {
      exclude: (name) =>
        name === "node_modules" || name === "generated" || /^(de|es|fr|ja|pt|zh|prose\.ts)$/.test(name),
    },
  ).map((path) => path.split(sep).join("/"));
  const byAdvice = Map.groupBy(paths.flatMap(warningsOf), ({ instead }) => instead);
  for (const [instead, warnings] of byAdvice) {
    process.stdout.write(`${warnings.length} × write: ${instead}\n`);
    for (const { place, text } of values.all ? warnings : warnings.slice(0, 3))
      process.stdout.write(`  ${place}: ${text}\n`);
  }
}
