/** Reads the folder `POSTERN_WORDS_DIR`, with which operators replace texts of pages and emails. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../ops/log.ts";
import {
  messageCount,
  type OperatorWords,
  readOperatorWords,
  type WordsError,
} from "../web/words/operator_words.ts";

export interface WordsFile {
  readonly file: string;
  readonly words: OperatorWords | undefined;
  readonly errors: readonly WordsError[];
}

const fileName = /^(.+)\.(?:ya?ml|json)$/;

/** In bytes, far above the size of all messages of a language. */
const largest = 1_000_000;

/** Reads and checks every file in the folder. Throws if the folder cannot be read. */
export async function readWordsFolder(folder: string): Promise<WordsFile[]> {
  const entries = (await readdir(folder)).filter((file) => !file.startsWith(".")).sort();
  const files: WordsFile[] = [];
  for (const file of entries) {
    const { words, errors } = await readWordsFile(folder, file);
    const other = words && files.find((each) => each.words?.code === words.code);
    files.push(
      other === undefined
        ? { file, words, errors }
        : {
            file,
            words: undefined,
            errors: [{ path: "", sentence: `is the same language as ${other.file}` }],
          },
    );
  }
  return files;
}

/**
 * Returns the operator's texts; empty if no folder is configured. If files are invalid, throws one error that
 * lists the errors of all files.
 */
export async function loadWords(
  folder: string | undefined,
  log: Pick<Log, "info">,
): Promise<readonly OperatorWords[]> {
  if (folder === undefined) return [];
  const files = await readWordsFolder(folder).catch((error: Error) => {
    throw new Error(`POSTERN_WORDS_DIR cannot be read: ${error.message}`, { cause: error });
  });
  const errors = files.flatMap(({ file, errors: found }) => found.map((error) => errorLine(file, error)));
  if (errors.length > 0) {
    throw new Error(
      ["the texts in POSTERN_WORDS_DIR are invalid:", ...errors.map((line) => `  ${line}`)].join("\n"),
    );
  }
  return files.flatMap(({ file, words }) => {
    if (words === undefined) return [];
    const { about, messages } = words;
    const { falls_back_to } = about;
    const facts = { file, language: about.tag, messages: messages.size, of: messageCount };
    log.info({ ...facts, ...(falls_back_to !== undefined && { falls_back_to }) }, "custom texts are used");
    return [words];
  });
}

/** Returns an error as one line: file, position and message. */
export function errorLine(file: string, { path, sentence }: WordsError): string {
  return path === "" ? `${file}: ${sentence}` : `${file}: ${path}: ${sentence}`;
}

async function readWordsFile(folder: string, file: string): Promise<Omit<WordsFile, "file">> {
  const failed = (...sentences: string[]) => ({
    words: undefined,
    errors: sentences.map((sentence) => ({ path: "", sentence })),
  });
  const [, code] = fileName.exec(file) ?? [];
  if (code === undefined) return failed("must end in .yaml, .yml or .json");
  const path = join(folder, file);
  const { size } = await stat(path);
  if (size > largest) return failed(`must have at most ${largest} bytes`);
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  // The YAML parser also reads JSON, and unlike `JSON.parse` it reports duplicate keys.
  const document = parseDocument(await readFile(path, "utf8"), {
    lineCounter: lines,
    prettyErrors: false,
    schema: "core",
  });
  const broken = [...document.errors, ...document.warnings].map(({ code: reason, pos: [at] }) => {
    const { line, col } = lines.linePos(at);
    return `line ${line}, column ${col}: ${reason.toLowerCase().replaceAll("_", " ")}`;
  });
  if (broken.length > 0) return failed(...broken);
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 100 });
  } catch {
    return failed("has aliases that cannot be resolved");
  }
  const read = readOperatorWords(code, content);
  return "code" in read ? { words: read, errors: [] } : { words: undefined, errors: read };
}
