/**
 * `postern words`: checks an operator's texts of pages and emails, and prints the built-in ones as files to
 * edit.
 */
import type { Command } from "commander";
import { readSettings } from "./core/setting_options.ts";
import { NegativeAnswer, type Options, print, type Terminal, visible, WrongUsage } from "./core/terminal.ts";

export function wordsCommand(program: Command, terminal: Terminal): void {
  const words = program
    .command("words")
    .description("check and export the texts of pages and emails, which you can replace");

  words
    .command("check")
    .description("check a folder of texts as the server does at startup; exit code 1 if a file is invalid")
    .argument("[folder]", "the folder (default: POSTERN_WORDS_DIR)")
    .action(async (input: string | undefined, _, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const folder = input ?? readSettings(options, terminal.env).words_dir;
      if (folder === undefined) throw new WrongUsage("name a folder or set POSTERN_WORDS_DIR");
      await check(folder, terminal, options);
    });

  words
    .command("export")
    .description("print every message of a language as a file to edit: YAML, or JSON with --json")
    .argument(
      "<language>",
      "the language code, such as de; a new language, such as nl, starts with the closest built-in texts",
    )
    .action(async (language: string, _, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const [{ wordsTemplate }, { stringify }] = await Promise.all([
        import("../web/words/words_template.ts"),
        import("yaml"),
      ]);
      const template = templateOf(language, wordsTemplate);
      const text = options.json ? "" : stringify(template, { compat: "yaml-1.1", lineWidth: 0 });
      print(terminal, options, template, text);
    });
}

function templateOf<T>(language: string, make: (code: string) => T): T {
  try {
    return make(language);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WrongUsage(`${visible(language)} is not a language tag, such as nl, sr-Latn or es-MX`);
  }
}

async function check(folder: string, terminal: Terminal, options: Options): Promise<void> {
  const [{ errorLine, readWordsFolder }, { messageCount, missingMessages }] = await Promise.all([
    import("../server/words_folder.ts"),
    import("../web/words/operator_words.ts"),
  ]);
  const files = await readWordsFolder(folder);
  const lines = files.flatMap(({ file, words, errors }) => {
    if (words === undefined) return errors.map((error) => errorLine(file, error));
    const { name, tag, falls_back_to } = words.about;
    const rest = messageCount - words.messages.size;
    const others = rest === 0 ? "" : `; ${rest} from ${falls_back_to ?? "the built-in texts"}`;
    return [`${file}: ${name} (${tag}), ${words.messages.size} of ${messageCount} messages${others}`];
  });
  const found = files.map(({ file, words, errors }) => ({
    file,
    errors,
    ...(words && {
      language: words.about.tag,
      messages: words.messages.size,
      missing: missingMessages(words),
    }),
  }));
  const nothing = `${folder} has no file such as de.yaml`;
  print(
    terminal,
    options,
    { of: messageCount, files: found },
    (lines.length > 0 ? lines : [nothing]).map(visible).join("\n"),
  );
  if (files.some(({ errors }) => errors.length > 0)) throw new NegativeAnswer();
}
