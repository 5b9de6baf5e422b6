import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Plot, plot } from "../../src/web/plot.ts";
import { readHtml } from "./read_html.ts";

function drawn(series: Plot["series"], moments: readonly string[]) {
  const { tags, text } = readHtml(
    String(
      plot({
        title: "Tokens",
        summary: "What is seen",
        moment_label: "Hour",
        moments,
        series,
        table_label: "As a table",
        format: (value) => `${value}!`,
      }),
    ),
  );
  const bars = tags
    .filter(({ name }) => name === "rect")
    .map(({ attributes }) => {
      const number = (name: string) => Number.parseFloat(attributes.get(name) ?? "");
      return { shade: attributes.get("class"), x: number("x"), y: number("y"), size: number("height") };
    });
  return { tags, text, bars };
}

describe("a plot", () => {
  test("stacks its series on one ground, each as high as its share", () => {
    const { bars } = drawn(
      [
        { name: "Code", values: [10, 20] },
        { name: "Refresh", values: [10, 0] },
      ],
      ["09:00", "10:00"],
    );
    const [first, above, second] = bars;
    assert.equal(bars.length, 3, "nothing is drawn for nothing");
    assert.ok(first && above && second);
    assert.equal(first.size, above.size);
    assert.equal(above.y + above.size, first.y);
    assert.equal(first.x, above.x);
    assert.ok(second.x > first.x);
    assert.ok(Math.abs(second.size - 2 * first.size) < 0.1);
    assert.deepEqual([first.shade, above.shade], ["plot-a", "plot-b"]);
  });

  test("says in words what it shows, and every figure again in a table", () => {
    const { tags, text } = drawn([{ name: "Code & more", values: [3, 1234] }], ["09:00", "10:00"]);
    const picture = tags.find(({ name }) => name === "svg");
    assert.equal(picture?.attributes.get("role"), "img");
    assert.equal(picture?.attributes.get("aria-label"), "What is seen");
    for (const each of ["Tokens", "Code & more", "As a table", "Hour", "09:00", "3!", "1234!"])
      assert.ok(text.includes(each), each);
    assert.equal(tags.filter(({ name }) => name === "td").length, 2);
  });

  test("draws no bar outside its frame, also of nothing at all", () => {
    for (const values of [[], [0, 0], [1], [7, 99, 100, 101], [1e9, 1]]) {
      const { bars, text } = drawn(
        [{ name: "Code", values }],
        values.map((_, index) => `${index}:00`),
      );
      assert.doesNotMatch(text, /NaN|undefined|Infinity/);
      for (const { x, y, size } of bars) {
        assert.ok(x >= 0 && x < 100 && y >= 18 && y + size <= 176.01, JSON.stringify({ values, x, y, size }));
      }
    }
  });
});
