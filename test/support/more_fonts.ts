/**
 * Fonts for Chinese, Japanese and Arabic, which the test browser's own fonts do not contain. They are fetched
 * when someone wants to look at pictures, and are no dependency, because they are 150 MB that no test reads.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflateSync } from "node:zlib";

const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "fonts");

/** Packages of the npm registry, each with all letters of a script (SIL Open Font License 1.1). */
const packages = {
  "@fontsource/noto-sans-sc@5.3.0": "noto-sans-sc-chinese-simplified",
  "@fontsource/noto-sans-jp@5.3.0": "noto-sans-jp-japanese",
  "@fontsource/noto-sans-arabic@5.3.0": "noto-sans-arabic-arabic",
} as const;

/**
 * Converts a WOFF 1.0 file to a system font: the same tables, of which each is compressed separately in WOFF.
 */
export function unpackedWoff(woff: Buffer): Buffer {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new TypeError("not a WOFF 1.0 file");
  const count = woff.readUInt16BE(12);
  const selector = Math.floor(Math.log2(count));
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(2 ** selector * 16, 6);
  head.writeUInt16BE(selector, 8);
  head.writeUInt16BE((count - 2 ** selector) * 16, 10);
  const parts: Buffer[] = [head];
  let end = head.length;
  for (let index = 0; index < count; index += 1) {
    const entry = 44 + 20 * index;
    const [from = 0, packed = 0, length = 0, checksum = 0] = [4, 8, 12, 16].map((at) =>
      woff.readUInt32BE(entry + at),
    );
    const data = woff.subarray(from, from + packed);
    const at = 12 + 16 * index;
    woff.copy(head, at, entry, entry + 4);
    head.writeUInt32BE(checksum, at + 4);
    head.writeUInt32BE(end, at + 8);
    head.writeUInt32BE(length, at + 12);
    const padded = Buffer.alloc(Math.ceil(length / 4) * 4);
    (packed < length ? inflateSync(data) : data).copy(padded);
    parts.push(padded);
    end += padded.length;
  }
  return Buffer.concat(parts);
}

/**
 * Writes a configuration of fonts, those of the test browser in `folder` and these, which it fetches once.
 */
export async function configurationOfMoreFonts(folder: string): Promise<string> {
  const fonts = join(cache, "sfnt");
  if (!existsSync(join(fonts, "whole"))) {
    mkdirSync(fonts, { recursive: true });
    const install = [
      "install",
      "--prefix",
      cache,
      "--no-save",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
    ];
    await promisify(execFile)("npm", [...install, ...Object.keys(packages)]);
    for (const [name, script] of Object.entries(packages)) {
      const files = join(cache, "node_modules", name.slice(0, name.lastIndexOf("@")), "files");
      for (const file of readdirSync(files).filter((each) => each.startsWith(script))) {
        if (!/-(?:400|700)-normal\.woff$/.test(file)) continue;
        writeFileSync(join(fonts, `${file}.ttf`), unpackedWoff(readFileSync(join(files, file))));
      }
    }
    writeFileSync(join(fonts, "whole"), "");
  }
  const path = join(cache, "fonts.conf");
  writeFileSync(
    path,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, "fonts", "fonts")}</dir>
  <dir>${fonts}</dir>
  <cachedir>${join(cache, "fontconfig")}</cachedir>
</fontconfig>
`,
  );
  return path;
}
