import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { once } from "../lazily.ts";

/** `etag` is a strong, quoted ETag (RFC 9110, section 8.8.3). */
type Asset = { path: string; type: string; body: Buffer; readonly etag: string };

const files = [
  { name: "style.css", type: "text/css; charset=utf-8" },
  { name: "icon.svg", type: "image/svg+xml" },
  { name: "enhancements.js", type: "text/javascript; charset=utf-8" },
  { name: "passkeys.js", type: "text/javascript; charset=utf-8" },
  { name: "brand_preview.js", type: "text/javascript; charset=utf-8" },
  { name: "picker.js", type: "text/javascript; charset=utf-8" },
] as const;

/** Removing comments and indentation makes the compressed files a quarter smaller. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/^\s+/gm, "");
}

/** Reads the files that pages link. Throws if one is missing. */
export function readAssets(): Asset[] {
  return files.map(({ name, type }) => {
    const body = Buffer.from(withoutComments(readFileSync(new URL(name, import.meta.url), "utf8")));
    // CRC-32 is sufficient, because only this project determines the content of these files: an attacker
    // cannot produce a collision.
    const etag = once(() => `"${body.length.toString(16)}-${crc32(body).toString(16)}"`);
    return {
      path: `/assets/${name}`,
      type,
      body,
      get etag() {
        return etag();
      },
    };
  });
}
