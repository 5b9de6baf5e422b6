/** Finds the errors of a page in a browser: by axe, by its width, and by the resources that it loads. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page, Response } from "playwright-core";
import { readAssets } from "../../src/web/assets.ts";
import { inForm } from "../support/form.ts";

/** Evaluated in the page before its errors are collected. */
export const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * This browser has no window, so it does not request the icon that other browsers show next to the title. The
 * size of the icon is added.
 */
const iconLength = readAssets().find(({ path }) => path.endsWith("icon.svg"))?.body.length ?? Number.NaN;

type Scheme = "light" | "dark";
const widths = [320, 1280] as const;

/** The color scheme and width in which a page is checked, and the rules: those named, or all of them. */
export interface Look {
  readonly colorScheme: Scheme;
  readonly width: (typeof widths)[number];
  readonly rules: "all" | readonly string[];
}

/** Rules that a page may violate at a large width, although it passes them at a small one. */
const ofRoom = ["target-size", "scrollable-region-focusable"];

/** Rules that depend on texts: accessible names, the language, and the space that texts need. */
const ofWords = [
  ...["document-title", "empty-heading", "html-has-lang", "html-lang-valid", "valid-lang", "label"],
  ...[
    ...["button-name", "input-button-name", "link-name", "select-name", "summary-name", "image-alt"],
    ...["svg-img-alt"],
  ],
  ...["aria-command-name", "aria-input-field-name", ...ofRoom],
];

/**
 * Ordered so that few settings change from one look to the next. The short form has every width and scheme,
 * but checks the structure of a page only once.
 */
export const everyLook: readonly Look[] = inForm<readonly Look[]>(
  [
    { colorScheme: "light", width: 320, rules: "all" },
    { colorScheme: "dark", width: 1280, rules: ["color-contrast", ...ofRoom] },
  ],
  (["light", "dark"] as const).flatMap((colorScheme) =>
    widths.map((width): Look => ({ colorScheme, width, rules: "all" })),
  ),
);

/**
 * In the short form, each page gets one look with all rules. For every second page, this look is dark and
 * wide, after a check of the page's width on a phone.
 */
export const looksInTurn = (turn: number): readonly Look[] =>
  inForm<readonly Look[]>(
    turn % 2 === 0
      ? [{ colorScheme: "light", width: 320, rules: "all" }]
      : [
          { colorScheme: "light", width: 320, rules: [] },
          { colorScheme: "dark", width: 1280, rules: "all" },
        ],
    everyLook,
  );

/**
 * The looks for a page that differs from an already checked one only in its text. Text does not change
 * colors, so the dark scheme is left out; the short form checks only the width.
 */
export const looksAtRoom: readonly Look[] = inForm<readonly Look[]>(
  [{ colorScheme: "light", width: 320, rules: [] }],
  [
    { colorScheme: "light", width: 320, rules: "all" },
    { colorScheme: "light", width: 1280, rules: ofRoom },
  ],
);

/** The looks for a page in a language that `every_page.ts` does not cover. */
export const looksAtWords: readonly Look[] = [
  { colorScheme: "light", width: 320, rules: inForm<Look["rules"]>(ofWords, "all") },
];

/** The looks for the pages of a running server, which `every_page.ts` covers too. */
export const looksAtServers: readonly Look[] = inForm(looksAtRoom, everyLook);

/** The size of targets (WCAG 2.2, 2.5.8) is the only rule of level AA that is off by default. */
function axeOptions({ rules }: Look): string {
  return JSON.stringify({
    resultTypes: ["violations"],
    ...(rules === "all" ? { rules: { "target-size": { enabled: true } } } : { runOnly: rules }),
  });
}

/** The findings on the page. Returning axe's whole result would be the most expensive part of the test. */
interface Found {
  readonly violations: readonly { readonly id: string; readonly tag: string; readonly summary: string }[];
  /** The width that the page needs, in pixels. */
  readonly needed: number;
  /** Dates that are partly cut off. */
  readonly cut: readonly string[];
}

/** Evaluated in the page in one call. */
const look = (look: Look) => `(async () => {
  // Sticky buttons cover the content until the page is scrolled to its end.
  if (document.querySelector(".deciding")) scrollTo(0, document.body.scrollHeight);
  const { violations } = ${look.rules.length > 0 ? `await axe.run(${axeOptions(look)})` : "{ violations: [] }"};
  return {
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => ({ id, tag: html.slice(0, 160), summary: failureSummary }))),
    needed: document.documentElement.scrollWidth,
    cut: [...document.querySelectorAll("time")]
      .filter((time) => time.scrollWidth > time.clientWidth && getComputedStyle(time).overflowX === "hidden")
      .map((time) => time.textContent),
  };
})()`;

/** Returns the errors of the current page, one line each. The page must have loaded axe. */
export async function errorsOf(page: Page, looks: readonly Look[] = everyLook): Promise<string[]> {
  const errors = new Set<string>();
  let shown: Scheme | undefined;
  for (const each of looks) {
    const { colorScheme, width } = each;
    if (colorScheme !== shown) await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    shown = colorScheme;
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 });
    const { violations, needed, cut } = await page.evaluate<Found>(look(each));
    for (const { id, tag, summary } of violations) {
      errors.add(`${colorScheme}, ${width} px: ${id}: ${tag}: ${summary}`);
    }
    for (const time of cut) errors.add(`${width} px: the end of ${time} is cut off`);
    if (needed > width) errors.add(`${colorScheme}, ${width} px: needs ${needed} px`);
  }
  // In a form with a field named `attributes`, the property `attributes` returns that field, so
  // `getAttributeNames` is used.
  const inline = await page.evaluate<string[]>(
    `[...document.querySelectorAll("*")].flatMap((element) => [
      ...(element.matches("script:not([src]), style") ? [element.outerHTML.slice(0, 80)] : []),
      ...element.getAttributeNames().filter((name) => /^(?:on|style$)/.test(name)),
    ])`,
  );
  for (const each of inline) errors.add(`inline: ${each}`);
  return [...errors];
}

/** Records the requests and errors of the browser until the next page. */
export function watch(page: Page, origins: readonly string[]) {
  let wanted: Response[] = [];
  /** Transferred bytes by address. Assets shared with an earlier page are not fetched again. */
  const sizes = new Map<string, number>();
  const complaints: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 300 && response.status() < 400) return;
    if (response.request().isNavigationRequest()) wanted = [];
    wanted.push(response);
  });
  page.on("request", (request) => {
    if (!origins.includes(new URL(request.url()).origin)) complaints.push(`a request to ${request.url()}`);
  });
  page.on("console", (message) => {
    if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text());
  });
  return {
    complaints,
    /** Returns the bytes that a first visit to the current page would transfer. */
    async bytes(): Promise<number> {
      let total = iconLength;
      for (const response of wanted) {
        const { responseBodySize, responseHeadersSize } = await response.request().sizes();
        const url = response.url();
        sizes.set(url, Math.max(sizes.get(url) ?? 0, responseBodySize + responseHeadersSize));
        total += sizes.get(url) ?? 0;
      }
      return total;
    },
  };
}
