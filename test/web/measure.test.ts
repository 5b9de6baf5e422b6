import assert from "node:assert/strict";
import { test } from "node:test";
import { durationText, percentText, sizeText } from "../../src/web/measure.ts";

test("a duration is shown in the largest unit that fits twice, or once without a remainder", () => {
  for (const [seconds, text] of [
    [0, "0 seconds"],
    [1, "1 second"],
    [59.9, "59 seconds"],
    [60, "1 minute"],
    [61, "61 seconds"],
    [119, "119 seconds"],
    [120, "2 minutes"],
    [5400, "90 minutes"],
    [7200, "2 hours"],
    [86_400, "1 day"],
    [172_799, "47 hours"],
    [172_800, "2 days"],
    [86_400 * 1234, "1,234 days"],
    [-5, "0 seconds"],
  ] as const) {
    assert.equal(durationText(seconds, "en"), text);
  }
  assert.deepEqual([durationText(86_400 * 3, "es"), durationText(86_400 * 3, "zh")], ["3 días", "3天"]);
});

test("a size is shown in powers of a thousand", () => {
  for (const [bytes, text] of [
    [0, "0 byte"],
    [999, "999 byte"],
    [1000, "1 kB"],
    [12_345_678, "12.3 MB"],
    [5e9, "5 GB"],
    [7.25e12, "7.3 TB"],
    [9e15, "9,000 TB"],
  ] as const) {
    assert.equal(sizeText(bytes, "en"), text);
  }
  assert.equal(sizeText(12_345_678, "es"), "12,3 MB");
});

test("a share is shown in whole percent, in each language's format", () => {
  assert.deepEqual(
    [percentText(0.255, "en"), percentText(12, "en"), percentText(0.25, "zh")],
    ["26%", "1,200%", "25%"],
  );
  assert.match(percentText(0.25, "es"), /^25\s%$/);
});
