import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readAssets } from "../../src/web/assets.ts";
import { everyPage } from "./every_page.ts";
import { readHtml } from "./read_html.ts";

const assets = readAssets();
const css = String(assets.find((asset) => asset.path === "/assets/style.css")?.body);

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function coloursOf(block: string): Map<string, string> {
  return new Map(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

describe("the style sheet", () => {
  const [light = "", dark = ""] = [...css.matchAll(/:root \{([\s\S]*?)\n\s*\}/g)].map(
    ([, block = ""]) => block,
  );
  const words = [
    ["ink", "page"],
    ["ink", "surface"],
    ["ink", "sunken"],
    ["quiet", "page"],
    ["quiet", "surface"],
    ["quiet", "sunken"],
    ["accent", "page"],
    ["accent", "surface"],
    ["accent-strong", "surface"],
    ["accent-strong", "sunken"],
    ["accent-strong", "accent-tint"],
    ["on-accent", "accent"],
    ["on-accent", "accent-strong"],
    ["failure", "surface"],
    ["failure", "sunken"],
    ["failure", "failure-tint"],
    ["caution", "caution-tint"],
  ] as const;
  const edges = [
    ["control", "surface"],
    ["control", "page"],
    ["control", "sunken"],
    ["accent", "page"],
  ] as const;

  for (const [scheme, colours] of [
    ["light", coloursOf(light)],
    ["dark", coloursOf(dark)],
  ] as const) {
    test(`keeps the contrast of WCAG 2.2 AA in ${scheme}`, () => {
      for (const [pairs, least] of [
        [words, 4.5],
        [edges, 3],
      ] as const) {
        for (const [front, back] of pairs) {
          const found = contrast(colours.get(front) ?? "", colours.get(back) ?? "");
          assert.ok(found >= least, `${front} on ${back}: ${found.toFixed(2)}, wanted ${least}`);
        }
      }
    });
  }

  test("has the same colours in dark as in light", () => {
    assert.deepEqual([...coloursOf(dark).keys()], [...coloursOf(light).keys()]);
  });

  test("is under 20 kB and fetches nothing", () => {
    assert.ok(css.length > 1000 && css.length < 20_000, String(css.length));
    assert.doesNotMatch(css, /url\(|@import|@font-face|!important/);
  });

  test("styles no class that no page uses", () => {
    const used = new Set<string>();
    for (const logo of ["https://client.example/logo.png", "none"]) {
      for (const page of Object.values(everyPage("plain", logo))) {
        for (const tag of readHtml(page).tags)
          for (const name of tag.attributes.get("class")?.split(" ") ?? []) used.add(name);
      }
    }
    const styled = new Set([...css.matchAll(/\.([a-z][a-z0-9-]*)/g)].map(([, name = ""]) => name));
    const unused = [...styled].filter((name) => !used.has(name) && !name.startsWith("status-"));
    assert.deepEqual(unused, []);
  });

  test("heeds the reader's wish for less motion and shows the focus", () => {
    assert.match(css, /prefers-reduced-motion: reduce/);
    assert.match(css, /:focus-visible \{\s*outline: 2px solid/);
  });
});

describe("the assets", () => {
  test("are every file a page links, with type and a quoted etag that follows the content", () => {
    const linked = new Set<string>();
    for (const page of Object.values(everyPage("plain", "/"))) {
      for (const [path] of page.matchAll(/\/assets\/[a-z._-]+/g)) linked.add(path);
    }
    assert.deepEqual(assets.map((asset) => asset.path).sort(), [...linked].sort());
    for (const { etag, type } of assets) {
      assert.match(etag, /^"[0-9a-f]+-[0-9a-f]{1,8}"$/);
      assert.match(type, /^(text\/css; charset=utf-8|image\/svg\+xml)$/);
    }
    assert.equal(new Set(assets.map((asset) => asset.etag)).size, assets.length);
  });

  test("hold no script, so that the icon is harmless when opened by itself", () => {
    const icon = String(assets.find((asset) => asset.path === "/assets/icon.svg")?.body);
    assert.doesNotMatch(icon, /<script|\son\w+=|href=/);
  });
});
