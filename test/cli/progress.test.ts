import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withProgress } from "../../src/cli/core/progress.ts";
import { commandLine } from "./terminal.ts";

const manifest = JSON.stringify({
  users: Array.from({ length: 30 }, (_, index) => ({ email: `user${index}@example.com`, name: "U" })),
});

describe("progress of long commands", () => {
  test("a terminal shows the progress of apply, and the line is cleared before the result", async () => {
    const terminal = { columns: 80, colours: false };
    const { code, err } = await commandLine({}, { messages: terminal }).run("apply -", manifest);
    assert.equal(code, 0);
    assert.match(err, /^\rRecords read: \d+/);
    const lines = err.split("\r");
    assert.equal(lines.at(-2)?.trim(), "", "spaces over what was there");
    assert.equal(lines.at(-1), "30 created, 0 updated, 0 unchanged.\n");
  });

  test("no progress is printed to a file or another program", async () => {
    const { err } = await commandLine().run("apply -", manifest);
    assert.equal(err, "30 created, 0 updated, 0 unchanged.\n");
  });

  test("progress is drawn at most ten times a second, fits the width, and is cleared even after a failure", async () => {
    let [printed, time] = ["", 0];
    const terminal = {
      now: () => new Date(time),
      err: (text: string) => {
        printed += text;
      },
      messages: { columns: 10, colours: false },
    };
    const failing = withProgress(terminal, async (say) => {
      say("one");
      time = 99;
      say("two");
      time = 100;
      say("three and more");
      throw new Error("stopped");
    });
    await assert.rejects(failing, /stopped/);
    assert.equal(printed, "\rone\rthree and\r         \r");
  });
});
