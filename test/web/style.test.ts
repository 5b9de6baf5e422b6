import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { readAssets } from "../../src/web/assets.ts";
import { listed } from "../support/listed.ts";
import { contrast } from "./contrast.ts";
import { everyPage } from "./every_page.ts";

const assets = readAssets();
const css = String(assets.find((asset) => asset.path === "/assets/style.css")?.body);

function coloursOf(block: string): Map<string, string> {
  return new Map(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

describe("the style sheet", () => {
  const [light = "", dark = ""] = [...css.matchAll(/:root \{([\s\S]*?)\n\s*\}/g)].map(
    ([, block = ""]) => block,
  );
  /** Foreground colors and the backgrounds on which they appear. */
  const words = {
    ink: listed`page surface sunken failure-tint`,
    quiet: listed`page surface sunken`,
    accent: listed`page surface`,
    "accent-strong": listed`surface sunken accent-tint`,
    "on-accent": listed`accent accent-strong`,
    failure: listed`surface sunken failure-tint`,
    "failure-strong": listed`failure-tint`,
    "on-failure": listed`failure failure-strong`,
    success: listed`success-tint`,
    caution: listed`caution-tint`,
  };
  const edges = {
    control: listed`surface page sunken`,
    accent: listed`page`,
    failure: listed`surface`,
    caution: listed`surface`,
    "series-b": listed`surface`,
    "series-c": listed`surface`,
  };

  for (const [scheme, colours] of [
    ["light", coloursOf(light)],
    ["dark", coloursOf(dark)],
  ] as const) {
    test(`keeps the contrast of WCAG 2.2 AA in ${scheme}`, () => {
      for (const [pairs, least] of [
        [words, 4.5],
        [edges, 3],
      ] as const) {
        const all = Object.entries(pairs).flatMap(([front, backs]) => backs.map((back) => [front, back]));
        for (const [front = "", back = ""] of all) {
          const found = contrast(colours.get(front) ?? "", colours.get(back) ?? "");
          assert.ok(found >= least, `${front} on ${back}: ${found.toFixed(2)}, wanted ${least}`);
        }
      }
    });
  }

  test("defines the same set of colors in dark as in light", () => {
    assert.deepEqual([...coloursOf(dark).keys()], [...coloursOf(light).keys()]);
  });

  test("is under 36 kB, compressed under 8 kB, and loads nothing", () => {
    assert.ok(css.length > 1000 && css.length < 36_000, String(css.length));
    const packed = gzipSync(css).length;
    assert.ok(packed < 8000, String(packed));
    assert.doesNotMatch(css, /url\(|@import|@font-face|!important/);
  });

  test("works from right to left, because no rule names left or right", () => {
    const found = css
      .split("\n")
      .filter((line) => /[:-]\s*(?:left|right)\b|\b(?:left|right)\s*:|translateX/.test(line));
    assert.deepEqual(found, []);
    // Of four values the second is the right side, and the fourth the left side.
    const sided = [...css.matchAll(/^\s*(?:margin|padding|inset|border-width): (\S+) (\S+) (\S+) (\S+);/gm)];
    assert.deepEqual(
      sided.filter(([, , right, , left]) => right !== left).map(([rule]) => rule),
      [],
    );
  });

  test("styles only classes that a page uses", () => {
    const used = new Set<string>();
    const logos = ["https://client.example/logo.png", "none"];
    const pages = logos.flatMap((logo) => Object.values(everyPage("plain", logo)));
    for (const page of pages) {
      for (const [, names = ""] of page.matchAll(/ class="([^"]*)"/g))
        for (const name of names.split(" ")) used.add(name);
    }
    // Elements that the scripts create.
    const script = assets.map(({ path, body }) => (path.endsWith(".js") ? String(body) : "")).join("\n");
    for (const [, name = ""] of script.matchAll(/(?:className = |button\()"([a-z]+)"/g)) used.add(name);
    const styled = new Set([...css.matchAll(/\.([a-z][a-z0-9-]*)/g)].map(([, name = ""]) => name));
    const unused = [...styled].filter((name) => !used.has(name) && !name.startsWith("status-"));
    assert.deepEqual(unused, []);
  });

  test("respects reduced motion and shows the keyboard focus", () => {
    assert.match(css, /prefers-reduced-motion: reduce/);
    assert.match(css, /:focus-visible \{\s*outline: 2px solid/);
    const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = "", body = ""]) => ({
      selectors: selector.split(",").map((each) => each.trim()),
      body,
    }));
    const of = (what: RegExp) =>
      rules.filter(({ body }) => what.test(body)).flatMap(({ selectors }) => selectors);
    // The rule must be as specific as the rules with a transition, or it would not win.
    assert.deepEqual(of(/transition: none/).sort(), of(/transition:\s+[^n\s]/).sort());
  });

  test("uses only named colors, and defines exactly those that it uses", () => {
    const rules = css.slice(css.indexOf("*,\n"));
    assert.ok(rules.length > 10_000);
    assert.doesNotMatch(rules, /:[^;{}]*(?:#[0-9a-f]{6}|rgb\(|hsl\()/);
    const declared = new Set([...css.matchAll(/^(--[a-z0-9-]+):/gm)].map(([, name = ""]) => name));
    const wanted = new Set([...css.matchAll(/var\((--[a-z0-9-]+)\)/g)].map(([, name = ""]) => name));
    assert.deepEqual(
      [...wanted].filter((name) => !declared.has(name)),
      [],
    );
    assert.deepEqual(
      [...declared].filter((name) => !wanted.has(name)),
      [],
    );
  });
});

describe("the static files", () => {
  test("are all linked by a page, and have a type and an ETag that depends on the content", () => {
    const linked = new Set<string>();
    const script = String(assets.find(({ path }) => path.endsWith("enhancements.js"))?.body);
    for (const [, name = ""] of script.matchAll(/import\("\.\/([a-z._-]+)"\)/g))
      linked.add(`/assets/${name}`);
    for (const page of Object.values(everyPage("plain", "/"))) {
      for (const [path] of page.matchAll(/\/assets\/[a-z_-]+\.[a-z]+/g)) linked.add(path);
    }
    assert.deepEqual(assets.map((asset) => asset.path).sort(), [...linked].sort());
    for (const { etag, type } of assets) {
      assert.match(etag, /^"[0-9a-f]+-[0-9a-f]{1,8}"$/);
      assert.match(type, /^(text\/(?:css|javascript); charset=utf-8|image\/svg\+xml)$/);
    }
    assert.equal(new Set(assets.map((asset) => asset.etag)).size, assets.length);
  });

  test("have an icon without a script, which is harmless when opened alone", () => {
    const icon = String(assets.find((asset) => asset.path === "/assets/icon.svg")?.body);
    assert.doesNotMatch(icon, /<script|\son\w+=|href=/);
  });
});
