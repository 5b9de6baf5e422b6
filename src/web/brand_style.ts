import { contrast, hexOfOklch, type Oklch, oklchOf } from "./brand_colour.ts";

/** One of the two schemes of `style.css`: its ground, and how far a colour may be from it. */
interface Scheme {
  /** The tokens `--page`, `--surface` and `--sunken` of the style sheet. */
  readonly grounds: readonly string[];
  /** Where a colour moves that cannot be read: away from the ground. */
  readonly away: 1 | -1;
  /** Lightness of barely tinted areas. */
  readonly tint: number;
  readonly arch: number;
  readonly on_accent: number;
}

const light: Scheme = {
  grounds: ["#f3f1ec", "#fefdfb", "#f7f5f0"],
  away: -1,
  tint: 0.945,
  arch: 0.935,
  on_accent: 1,
};

const dark: Scheme = {
  grounds: ["#141412", "#1d1d1a", "#171715"],
  away: 1,
  tint: 0.29,
  arch: 0.245,
  on_accent: 0.17,
};

/** WCAG 2.2, 1.4.3, with a little to spare for rounding. */
const least = 4.55;

/** The colour itself where it is read on each of these, else the nearest of its hue that is. */
function readable(colour: Oklch, grounds: readonly string[], away: 1 | -1): Oklch {
  let fitting = colour;
  while (grounds.some((ground) => contrast(hexOfOklch(fitting), ground) < least)) {
    fitting = { ...fitting, lightness: fitting.lightness + away * 0.004 };
    // Black and white are read on any ground there is.
    if (fitting.lightness <= 0 || fitting.lightness >= 1) return fitting;
  }
  return fitting;
}

function tokensOf(accent: Oklch, { grounds, away, tint, arch, on_accent }: Scheme): string {
  const faint = (lightness: number, most: number) =>
    hexOfOklch({ ...accent, lightness, chroma: Math.min(accent.chroma, most) });
  const accent_tint = faint(tint, 0.03);
  const fitting = readable(accent, grounds, away);
  const strong = readable(
    { ...fitting, lightness: fitting.lightness + away * 0.06 },
    [...grounds, accent_tint],
    away,
  );
  return [
    `--accent: ${hexOfOklch(fitting)};`,
    `--accent-strong: ${hexOfOklch(strong)};`,
    `--on-accent: ${faint(on_accent, 0.03)};`,
    `--accent-tint: ${accent_tint};`,
    `--arch: ${faint(arch, 0.014)};`,
  ].join(" ");
}

/**
 * The style sheet of a brand: nothing but the tokens of `style.css` that follow the accent `#rrggbb`, for
 * light and dark, of the elements of `selector`. An accent that would fail WCAG 2.2 AA is darkened or
 * lightened until it does not; its hue stays.
 */
export function brandStyle(accent: string, selector = ":root"): string {
  const colour = oklchOf(accent);
  return `${selector} { ${tokensOf(colour, light)} }
@media (prefers-color-scheme: dark) { ${selector} { ${tokensOf(colour, dark)} } }
`;
}
