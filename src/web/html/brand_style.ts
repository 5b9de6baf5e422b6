/**
 * Derives the colors of a brand from its accent. In the color space OKLCH, the lightness can change without
 * the hue.
 */

/** Lightness 0 to 1, chroma 0 to about 0.37, hue in radians (CSS Color 4, section 9.2). */
interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

type Triple = readonly [number, number, number];

function linearOf(hex: string): Triple {
  const part = (start: number) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function hexOf(linear: Triple): string {
  const parts = linear.map((value) => {
    const bounded = Math.min(1, Math.max(0, value));
    const encoded = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

/** Converts a color `#rrggbb` to OKLCH. */
export function oklchOf(hex: string): Oklch {
  const [r, g, b] = linearOf(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const greenRed = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const blueYellow = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { lightness, chroma: Math.hypot(greenRed, blueYellow), hue: Math.atan2(blueYellow, greenRed) };
}

function linearOfOklch({ lightness, chroma, hue }: Oklch): Triple {
  const greenRed = chroma * Math.cos(hue);
  const blueYellow = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * greenRed + 0.2158037573 * blueYellow) ** 3;
  const m = (lightness - 0.1055613458 * greenRed - 0.0638541728 * blueYellow) ** 3;
  const s = (lightness - 0.0894841775 * greenRed - 1.291485548 * blueYellow) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Converts a color to `#rrggbb`. A color outside the sRGB gamut loses chroma until it fits. */
export function hexOfOklch(colour: Oklch): string {
  for (let chroma = colour.chroma; chroma > 0; chroma -= 0.004) {
    const linear = linearOfOklch({ ...colour, chroma });
    if (linear.every((value) => value >= -0.0005 && value <= 1.0005)) return hexOf(linear);
  }
  return hexOf(linearOfOklch({ ...colour, chroma: 0 }));
}

function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast ratio of two colors, from 1 to 21 (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

interface Scheme {
  /** The values of `--page`, `--surface` and `--sunken` in the style sheet. */
  readonly grounds: readonly string[];
  readonly away: 1 | -1;
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

/** WCAG 2.2, section 1.4.3 requires 4.5; the margin is for rounding. */
const least = 4.55;

function readable(colour: Oklch, grounds: readonly string[], away: 1 | -1): Oklch {
  let fitting = colour;
  while (grounds.some((ground) => contrast(hexOfOklch(fitting), ground) < least)) {
    fitting = { ...fitting, lightness: fitting.lightness + away * 0.004 };
    // At black or white, the contrast cannot increase further.
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
 * Returns the style sheet of a brand, for the light and the dark scheme. An accent that would fail WCAG 2.2
 * AA is darkened or lightened until it passes, with the same hue.
 */
export function brandStyle(accent: string, selector = ":root"): string {
  const colour = oklchOf(accent);
  return `${selector} { ${tokensOf(colour, light)} }
@media (prefers-color-scheme: dark) { ${selector} { ${tokensOf(colour, dark)} } }
`;
}
