import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { parse } from "yaml";
import { loadWords } from "../../src/server/words_folder.ts";
import { messageCount } from "../../src/web/words/operator_words.ts";
import { column } from "../support/lists.ts";
import { temporaryFolder } from "../support/temp.ts";
import { commandLine } from "./terminal.ts";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const faulty = {
  "de.yaml": "messages: { login: { titel: x, leadTo: weiter } }\n",
  "it.yaml": "messages: {}\n",
  "fr.yaml": "messages: { a: 1, a: 2 }\n",
  "fr.json": '{"messages": {}}',
  "fr.yml": "messages: {}\n",
  "notes.txt": "later",
  "ja.yaml": "messages: *nothing\n",
  ".swap": "nothing",
};

const reported = [
  "de.yaml: messages.login.titel: is not a known message",
  "de.yaml: messages.login.leadTo: lacks the placeholder {client}",
  "fr.yaml: line 1, column 19: duplicate key",
  "fr.yml: is the same language as fr.json",
  "it.yaml: language.name: is required: the name of the language in the language itself",
  "ja.yaml: has aliases that cannot be resolved",
  "notes.txt: must end in .yaml, .yml or .json",
];

describe("the command postern words", () => {
  test("check reports the contents of each translation file, or every error with exit code 1", async () => {
    const line = commandLine();
    const good = folderWith({
      "de.yaml": "messages: { login: { title: Willkommen } }\n",
      "nl.json": '{"language": {"name": "Nederlands"}}',
    });
    const { code, out } = await line.run(`words check ${good}`);
    assert.equal(code, 0);
    assert.deepEqual(out.trimEnd().split("\n"), [
      `de.yaml: Deutsch (de), 1 of ${messageCount} messages; ${messageCount - 1} from the built-in texts`,
      `nl.json: Nederlands (nl), 0 of ${messageCount} messages; ${messageCount} from en`,
    ]);
    const bad = await line.run(["words", "check", folderWith(faulty)]);
    assert.equal(bad.code, 1);
    assert.deepEqual(
      bad.out
        .trimEnd()
        .split("\n")
        .filter((each) => !/^fr\.json/.test(each))
        .sort(),
      [...reported].sort(),
    );
    const set = commandLine({ POSTERN_WORDS_DIR: good });
    assert.equal((await set.json<{ files: object[] }>("words check")).files.length, 2);
    assert.equal((await line.run("words check")).code, 2);
    assert.equal((await line.run(["words", "check", join(good, "none")])).code, 1);
  });

  test("export prints a file that check accepts, for a built-in language and a new one", async () => {
    const line = commandLine();
    for (const [language, first] of [
      ["pt", "Ir para o conteúdo"],
      ["it", "Skip to content"],
    ] as const) {
      const { code, out } = await line.run(`words export ${language}`);
      assert.equal(code, 0);
      assert.equal(parse(out).messages.frame.skip, first);
      const { files } = await line.json<{ files: { missing: string[] }[] }>([
        ...["words", "check", folderWith({ [`${language}.yaml`]: out })],
      ]);
      assert.deepEqual(column(files, "missing"), [[]]);
    }
    assert.equal((await line.run("words export 'no language'")).code, 2);
  });

  test("a server with invalid translation files does not start; the start and doctor list all errors", async () => {
    const { code, err } = await commandLine({ POSTERN_WORDS_DIR: folderWith(faulty), POSTERN_PORT: "0" }).run(
      "serve",
    );
    assert.equal(code, 1);
    for (const line of reported) assert.ok(err.includes(`  ${line}\n`) || err.includes(line), line);
    const doctor = await commandLine({ POSTERN_WORDS_DIR: folderWith(faulty) }).run("doctor");
    assert.equal(doctor.code, 1);
    assert.match(doctor.out, /de\.yaml: messages\.login\.titel: is not a known message/);
    await assert.rejects(
      loadWords("/nowhere/at/all", { info() {} }),
      /^Error: POSTERN_WORDS_DIR cannot be read/,
    );
    assert.deepEqual(await loadWords(undefined, { info() {} }), []);
  });
});
