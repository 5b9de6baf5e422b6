/** The documentation of the command line and of manifests names every command and section. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { sections } from "../../src/admin/manifest/sections.ts";
import { commandLine } from "./terminal.ts";

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, "..", "..", "docs", "operations", name), "utf8");

describe("the documentation of the command line", () => {
  test("names each command", async () => {
    const { out } = await commandLine().run("--help");
    const commands = [...out.matchAll(/^ {2}([a-z][a-z-]+) .* {2}/gm)].map(([, name]) => name);
    assert.ok(commands.includes("webhook-endpoint") && commands.includes("perform"));
    const document = read("command-line.md");
    assert.deepEqual(
      commands.filter((name) => !new RegExp(`(?:\`|postern )${name}\\b`).test(document)),
      [],
    );
  });

  test("has a table row for each section of a manifest", () => {
    const rows = read("config-as-code.md").match(/^\| `.*$/gm) ?? [];
    const named = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([a-z_]+)`/g)]);
    assert.deepEqual(
      named.map(([, name]) => name).toSorted(),
      sections.map(({ resourceType }) => resourceType).toSorted(),
    );
  });
});
