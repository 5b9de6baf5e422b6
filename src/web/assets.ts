import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";

/**
 * A file served as it is: `path` is its place under {base_url}, `etag` a strong one with its quotes (RFC 9110
 * 8.8.3).
 */
export type Asset = { path: string; type: string; body: Buffer; etag: string };

const files = [
  { name: "style.css", type: "text/css; charset=utf-8" },
  { name: "icon.svg", type: "image/svg+xml" },
  { name: "enhancements.js", type: "text/javascript; charset=utf-8" },
  { name: "passkeys.js", type: "text/javascript; charset=utf-8" },
] as const;

/**
 * Reads the style sheet, the icon and the scripts that pages link. Call it once, at start; throws when
 * one is missing.
 */
export function readAssets(): Asset[] {
  return files.map(({ name, type }) => {
    const body = readFileSync(new URL(name, import.meta.url));
    // A checksum is enough: the etag tells our own versions apart, and no one else chooses the content.
    const etag = `"${body.length.toString(16)}-${crc32(body).toString(16)}"`;
    return { path: `/assets/${name}`, type, body, etag };
  });
}
