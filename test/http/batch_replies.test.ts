import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import Fastify from "fastify";
import { batchReplies } from "../../src/http/oauth/batch_replies.ts";

describe("answers that leave together", () => {
  test("those of one turn of the event loop leave at its end, in their order, each with its own content", async () => {
    const app = Fastify();
    const events: string[] = [];
    app.addHook("onSend", async (request) => {
      events.push(`ready ${request.url}`);
    });
    app.addHook("onResponse", async (request) => {
      events.push(`left ${request.url}`);
    });
    app.get("/:name", { onSend: batchReplies() }, async (request) => ({ to: request.url }));
    const answers = await Promise.all(["/a", "/b", "/c"].map((url) => app.inject({ url })));
    assert.deepEqual(
      answers.map((answer) => answer.json()),
      [{ to: "/a" }, { to: "/b" }, { to: "/c" }],
    );
    await nextTurn();
    assert.deepEqual(events.slice(0, 3), ["ready /a", "ready /b", "ready /c"]);
    assert.deepEqual(events.slice(3), ["left /a", "left /b", "left /c"]);
  });
});
