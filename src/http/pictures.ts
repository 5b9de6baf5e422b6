/**
 * The pictures that pages show: this server's own, those stored in a record as `data:` URLs, and those of
 * hosts that the operator allows. Any other host would learn who reads which page, and when
 * (docs/decisions/pages.md).
 */
import { isShownPicture } from "../records/names/picture.ts";
import type { ShellContext } from "./context.ts";

declare module "fastify" {
  interface FastifyInstance {
    readonly picture_sources: string;
  }
}

type Vouched = Pick<ShellContext, "picture_hosts" | "brand">;

/** Returns the `img-src` of pages (Content Security Policy Level 3). */
export function pictureSources({ picture_hosts = [], brand }: Vouched): string {
  const own = brand?.logo_url === undefined ? null : URL.parse(brand.logo_url);
  const hosts = new Set([...(own?.protocol === "https:" ? [own.host] : []), ...picture_hosts]);
  return ["'self'", "data:", ...[...hosts].map((host) => `https://${host}`)].join(" ");
}

/** Returns the URL of a record's picture if pages may show it. */
export function shownPicture(
  address: string | null | undefined,
  { picture_hosts = [] }: Vouched,
): string | undefined {
  return address != null && isShownPicture(address, picture_hosts) ? address : undefined;
}
