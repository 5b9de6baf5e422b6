import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Chart, chart } from "../../src/web/html/chart.ts";
import { readHtml } from "./read_html.ts";

function drawn(series: Chart["series"], moments: readonly string[]) {
  const { tags, text } = readHtml(
    String(
      chart({
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
  const count = Number(
    tags
      .filter(({ name }) => name === "svg")[1]
      ?.attributes.get("viewBox")
      ?.split(" ")[2],
  );
  const bars = tags
    .filter(({ name }) => name === "path")
    .flatMap(({ attributes }) =>
      [...(attributes.get("d") ?? "").matchAll(/M(\S+) (\S+)V(\S+)h(\S+)V(\S+)z/g)].map((bar) => {
        const [x = 0, bottom = 0, top = 0, width = 0, end = 0] = bar.slice(1).map(Number);
        assert.equal(end, bottom);
        return { shade: attributes.get("class"), x, right: x + width, y: top, bottom, count };
      }),
    );
  return { tags, text, bars };
}

describe("a chart in the console", () => {
  test("stacks its series on one baseline, each as high as its value", () => {
    const { bars } = drawn(
      [
        { name: "Code", values: [10, 20] },
        { name: "Refresh", values: [10, 0] },
      ],
      ["09:00", "10:00"],
    );
    const [first, second, above] = bars;
    assert.equal(bars.length, 3, "nothing is drawn for nothing");
    assert.ok(first && above && second);
    const size = ({ y, bottom }: { y: number; bottom: number }) => bottom - y;
    assert.ok(Math.abs(size(first) - size(above)) < 0.1);
    assert.equal(above.bottom, first.y);
    assert.equal(first.bottom, second.bottom);
    assert.equal(first.x, above.x);
    assert.ok(second.x > first.right);
    assert.ok(Math.abs(size(second) - 2 * size(first)) < 0.1);
    assert.deepEqual([first.shade, above.shade], ["plot-a", "plot-b"]);
  });

  test("is described in words, and repeats every number in a table", () => {
    const { tags, text } = drawn([{ name: "Code & more", values: [3, 1234] }], ["09:00", "10:00"]);
    const picture = tags.find(({ name }) => name === "svg");
    assert.equal(picture?.attributes.get("role"), "img");
    assert.equal(picture?.attributes.get("aria-label"), "What is seen");
    for (const each of ["Tokens", "Code & more", "As a table", "Hour", "09:00", "3!", "1234!"])
      assert.ok(text.includes(each), each);
    assert.equal(tags.filter(({ name }) => name === "td").length, 2);
  });

  test("draws no bar outside its frame, even without data", () => {
    for (const values of [[], [0, 0], [1], [7, 99, 100, 101], [1e9, 1]]) {
      const { bars, text } = drawn(
        [{ name: "Code", values }],
        values.map((_, index) => `${index}:00`),
      );
      assert.doesNotMatch(text, /NaN|undefined|Infinity/);
      assert.equal(bars.length, values.filter((value) => value > 0).length);
      for (const { x, right, y, bottom, count } of bars) {
        const inside = x >= 0 && right <= count && y >= 18 && bottom <= 176 && y <= bottom;
        assert.ok(inside, JSON.stringify({ values, x, right, y, bottom }));
      }
    }
  });
});
