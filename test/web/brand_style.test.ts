import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readAssets } from "../../src/web/assets.ts";
import { brandStyle, hexOfOklch, oklchOf } from "../../src/web/html/brand_style.ts";
import { contrast } from "./contrast.ts";

type Tokens = ReadonlyMap<string, string>;

/** Returns the tokens of a style sheet in light and in dark. */
function tokensOf(css: string): { light: Tokens; dark: Tokens } {
  const [light = new Map(), dark = new Map()] = [...css.matchAll(/:root \{([^}]*)\}/g)].map(
    ([, block = ""]) =>
      new Map(
        [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [
          name,
          value,
        ]),
      ),
  );
  return { light, dark };
}

const ours = tokensOf(String(readAssets().find(({ path }) => path === "/assets/style.css")?.body));
const accents = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

const pairs = [
  ["accent", "page"],
  ["accent", "surface"],
  ["accent", "sunken"],
  ["accent-strong", "page"],
  ["accent-strong", "surface"],
  ["accent-strong", "sunken"],
  ["accent-strong", "accent-tint"],
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
] as const;

describe("the style sheet of an organization's brand", () => {
  test("keeps the contrast of WCAG 2.2 AA for every accent, in light and dark", () => {
    fc.assert(
      fc.property(accents, (accent) => {
        const brand = tokensOf(brandStyle(accent));
        for (const scheme of ["light", "dark"] as const) {
          const tokens = new Map([...ours[scheme], ...brand[scheme]]);
          for (const [front, back] of pairs) {
            const found = contrast(tokens.get(front) ?? "", tokens.get(back) ?? "");
            assert.ok(found >= 4.5, `${accent}: ${front} on ${back} in ${scheme}: ${found.toFixed(2)}`);
          }
        }
      }),
      { numRuns: 300, examples: [["#ffffff"], ["#000000"], ["#ffff00"], ["#0000ff"], ["#808080"]] },
    );
  });

  test("keeps an accent color that is readable on its background", () => {
    assert.equal(tokensOf(brandStyle("#0e6655")).light.get("accent"), "#0e6655");
    assert.equal(tokensOf(brandStyle("#6cc9b1")).dark.get("accent"), "#6cc9b1");
  });

  test("darkens an accent color in light and lightens one in dark, and keeps its hue", () => {
    const { light } = tokensOf(brandStyle("#ffd400"));
    const { dark } = tokensOf(brandStyle("#1a1a80"));
    for (const [input, got] of [
      ["#ffd400", light.get("accent") ?? ""],
      ["#1a1a80", dark.get("accent") ?? ""],
    ] as const) {
      assert.notEqual(got, input);
      const turned = Math.abs(oklchOf(input).hue - oklchOf(got).hue);
      assert.ok(turned < 0.05, `${input} turned by ${turned} into ${got}`);
    }
  });

  test("sets only variables that the built-in style sheet has, the same in light and dark", () => {
    const css = brandStyle("#5b5bd6");
    const { light, dark } = tokensOf(css);
    assert.ok(light.size > 0);
    assert.deepEqual([...dark.keys()], [...light.keys()]);
    for (const name of light.keys()) assert.ok(ours.light.has(name), name);
    const rest = css.replace(/--[a-z-]+: #[0-9a-f]{6};/g, "").replace(/\s+/g, "");
    assert.equal(rest, ":root{}@media(prefers-color-scheme:dark){:root{}}");
  });
});

test("converts a color to OKLCH and back without a change", () => {
  fc.assert(fc.property(accents, (accent) => assert.equal(hexOfOklch(oklchOf(accent)), accent)));
});
