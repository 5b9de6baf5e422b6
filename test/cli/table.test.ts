import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { screenOf } from "../../src/cli/core/process_terminal.ts";
import { listTable, pairs, widthOf } from "../../src/cli/core/table.ts";
import { commandLine } from "./terminal.ts";

const id = "01a20593-9d6a-77e3-8bf7-29134c085f46";
const heading = ["email", "name", "active", "last_login_at", "id"];
const rows = [
  ["ada@example.com", "Augusta Ada King, Countess of Lovelace", "true", "2026-11-22T23:08:40.123Z", id],
  ["bob@example.com", "王小明 and his colleagues in Taipei", "false", "–", id.toUpperCase()],
];
/** ECMA-48 8.3.117. */
const [bold, usual] = ["\u001b[1m", "\u001b[22m"];
const at = (columns: number | undefined) => listTable(heading, rows, { columns, colours: false });

describe("tables of the command line", () => {
  test("a list fits every width down to the width of an id, without breaking words", () => {
    const words = [id, id.toUpperCase(), "ada@example.com", "bob@example.com"];
    for (let columns = 51; columns <= 160; columns++) {
      const text = at(columns);
      for (const line of text.split("\n")) assert.ok(widthOf(line) <= columns, `${columns}: ${line}`);
      const named = text.includes(id) ? words : words.slice(2);
      for (const word of named) assert.ok(text.includes(word), `${columns}: ${word}`);
    }
  });

  test("a narrowing table drops seconds, then wraps text, then shortens ids, and finally prints line by line", () => {
    assert.match(at(200), /2026-11-22T23:08:40\.123Z/);
    assert.match(at(125), /Countess of Lovelace .* 2026-11-22T23:08Z .*01a20593/);
    assert.match(at(115), /Augusta.*… .*2026-11-22T23:08Z +01a20593/);
    assert.doesNotMatch(at(80), /01a20593|^id/m);
    assert.match(at(51), /^email +ada@example\.com\nname /);
    assert.match(at(51), new RegExp(`^id +${id}$`, "m"));
  });

  test("without a terminal everything is printed unchanged", () => {
    const text = at(undefined);
    for (const cell of rows.flat()) assert.ok(text.includes(cell), cell);
    assert.equal(text.split("\n").length, 3);
  });

  test("East Asian characters count as two columns, and combining marks as none", () => {
    assert.deepEqual(["abc", "王小明", "é", "e\u0301", "👍", "–"].map(widthOf), [3, 6, 1, 1, 2, 1]);
  });

  test("headings and names are highlighted only if the terminal supports colors", () => {
    const colours = { columns: undefined, colours: true };
    const [first = ""] = listTable(heading, rows, colours).split("\n");
    assert.ok(first.startsWith(`${bold}email `) && first.endsWith(`id${usual}`), first);
    assert.equal(pairs([["name", "Ada\u001b[2J"]], colours), `${bold}name${usual}  Ada\\x1b[2J`);
    assert.ok(!at(undefined).includes("\u001b"));
  });

  test("NO_COLOR, FORCE_COLOR and a dumb terminal decide about colors, and the terminal's size about the width", () => {
    const [terminal, pipe] = [
      { isTTY: true, columns: 80 },
      { isTTY: false, columns: 80 },
    ] as const;
    const cases = [
      [terminal, {}, true],
      [pipe, {}, false],
      [terminal, { NO_COLOR: "1" }, false],
      [terminal, { NO_COLOR: "" }, true],
      [terminal, { TERM: "dumb" }, false],
      [terminal, { FORCE_COLOR: "0" }, false],
      [pipe, { FORCE_COLOR: "1" }, true],
      [pipe, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
    ] as const;
    for (const [stream, env, colours] of cases)
      assert.equal(screenOf(stream as never, env).colours, colours, JSON.stringify([stream, env]));
    assert.deepEqual(
      [terminal, pipe, { isTTY: true, columns: 0 }].map((each) => screenOf(each as never, {}).columns),
      [80, undefined, undefined],
    );
  });

  test("help is as wide as the terminal, and marks required options and values", async () => {
    const narrow = commandLine({}, { screen: { columns: 60, colours: true } });
    const { out } = await narrow.run("app create --help");
    assert.ok(out.includes(`${bold}Required:${usual}`));
    const wide = await commandLine().run("app create --help");
    assert.match(wide.out, /^Required:\n(?: {2}.*\n)* {2}--owner <email>/m);
    assert.match(wide.out, /--app-type <text>[^-]*choices: "web"/);
    assert.match(wide.out, /--allowed-grants <text\.\.\.>[^-]*"auth_code"/);
    assert.ok(!wide.out.includes("POSTERN_BASE_URL") && !wide.out.includes("\u001b"));
    const role = await commandLine().run("membership create --help");
    assert.match(role.out, /--role <text>[^-]*usual: "owner"/);
    assert.match((await commandLine().run("help settings")).out, /--base-url {2}POSTERN_BASE_URL/);
    assert.doesNotMatch((await commandLine().run("--help")).out, /POSTERN_/);
  });
});
