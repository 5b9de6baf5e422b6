import { type Html, html } from "../../../web/html/html.ts";

/** White modules around the code (ISO/IEC 18004, section 9.1). */
const quietZone = 4;
/** Pixels per module: large enough for a camera, small enough for a phone's screen. */
const moduleSize = 4;

/**
 * Returns a text as a QR code, with `label` as the picture's accessible name. It is black on white in every
 * color scheme, since cameras misread the reverse. Throws an Error for more than 2,331 bytes.
 */
export async function qrCode(text: string, label: string): Promise<Html> {
  // Loads the package on demand, because loading takes 25 ms and few users open this page.
  const { encodeQR } = await import("qr");
  const rows = encodeQR(text, "raw", { ecc: "medium", border: quietZone });
  const size = rows.length;
  const pixels = size * moduleSize;
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="${pixels}" height="${pixels}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${rows.map(runsOf).join("")}"/></svg>`;
}

/** Returns one rectangle per run of dark modules; a third of the size of one per module. */
function runsOf(row: readonly boolean[], y: number): string {
  const bits = row.map((dark) => (dark ? "1" : "0")).join("");
  return [...bits.matchAll(/1+/g)]
    .map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join("");
}
