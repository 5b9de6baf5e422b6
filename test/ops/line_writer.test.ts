import assert from "node:assert/strict";
import { test } from "node:test";
import { lineWriter } from "../../src/ops/line_writer.ts";

/** Creates a descriptor that accepts `limit` bytes, and a writer that retries on demand. */
function written(limit: number) {
  let room = Number.POSITIVE_INFINITY;
  let code = "ENOSPC";
  let retry: (() => void) | undefined;
  let text = "";
  let drops = 0;
  const writer = lineWriter({
    limit,
    writeBytes(bytes) {
      if (room === 0) throw Object.assign(new Error("no room"), { code });
      const taken = bytes.subarray(0, room);
      room -= taken.length;
      text += taken;
      return taken.length;
    },
    dropped: (count) => `dropped ${count}\n`,
    later: (again) => {
      assert.equal(retry, undefined, "one retry at a time");
      retry = again;
    },
  });
  writer.onDrop(() => {
    drops += 1;
  });
  return {
    writer,
    text: () => text,
    drops: () => drops,
    hasRoom(bytes: number, otherwise = "ENOSPC") {
      room = bytes;
      code = otherwise;
    },
    later() {
      const again = retry;
      retry = undefined;
      again?.();
    },
  };
}

for (const code of ["ENOSPC", "EPIPE", "EAGAIN", "EIO", "EDQUOT"])
  test(`F-22: log lines that cannot be written (${code}) wait, and beyond the limit are dropped, counted and reported (reliability finding 7)`, () => {
    const it = written(10);
    it.writer.write("one\n");
    it.hasRoom(0, code);
    for (const line of ["two\n", "three\n", "four\n", "five\n", "six\n"]) it.writer.write(line);
    assert.deepEqual([it.text(), it.drops()], ["one\n", 2]);
    it.hasRoom(1000);
    it.later();
    assert.equal(it.text(), "one\ntwo\nthree\nfour\ndropped 2\n");
    it.writer.write("seven\n");
    assert.equal(it.text(), "one\ntwo\nthree\nfour\ndropped 2\nseven\n");
    it.later();
    assert.equal(it.drops(), 2);
  });

test("F-22: a partly written log line is completed before the next", () => {
  const it = written(1000);
  it.hasRoom(2);
  it.writer.write("first\n");
  it.writer.write("second\n");
  assert.equal(it.text(), "fi");
  it.hasRoom(6);
  it.writer.write("third\n");
  assert.equal(it.text(), "first\nse");
  it.hasRoom(1000);
  it.later();
  assert.equal(it.text(), "first\nsecond\nthird\n");
});

test("F-22: a character split between two writes arrives complete", () => {
  const it = written(1000);
  const bytes: number[] = [];
  let room = 1;
  const writer = lineWriter({
    dropped: () => "",
    writeBytes(line) {
      if (room === 0) throw Object.assign(new Error(), { code: "EAGAIN" });
      bytes.push(...line.subarray(0, room));
      return Math.min(room, line.length);
    },
  });
  writer.write("语\n");
  room = 0;
  writer.write("é\n");
  room = 9;
  writer.finish();
  assert.equal(Buffer.from(bytes).toString(), "语\né\n");
  it.writer.finish();
});
