import { crc32 } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { refuse } from "../oauth/refusals/refuse.ts";
import type { Organization } from "../records/definition/definition.ts";
import { brandOf } from "../records/formats/brand.ts";
import { isUuid } from "../records/formats/check.ts";
import { isActive } from "../records/names/liveness.ts";
import type { Brand } from "../web/html/brand.ts";
import { brandStyle } from "../web/html/brand_style.ts";
import { sendConditionally } from "./conditional.ts";
import type { ShellContext } from "./context.ts";
import { getAndHead } from "./get_and_head.ts";
import { shownPicture } from "./pictures.ts";
import { cacheFor } from "./security_headers.ts";

/**
 * Seconds for which clients may cache a style sheet. A changed color still shows immediately, because the URL
 * in the pages contains a checksum of the color.
 */
const maxAge = 3600;

const version = (text: string) => crc32(text).toString(16).padStart(8, "0");

declare module "fastify" {
  interface FastifyInstance {
    readonly brand: Brand | undefined;
    readonly docs_url: string | undefined;
    /**
     * `{base_url}` if it uses https. A page shows it if the browser sends no cookies because the user opened
     * this server over http or at another URL.
     */
    readonly secure_address: string | undefined;
  }
}

/**
 * Returns the brand for the pages of an organization's applications; undefined for Postern's default look.
 */
export function pageBrand(
  organization: Organization | undefined,
  context: Pick<ShellContext, "picture_hosts">,
): Brand | undefined {
  const brand = organization && brandOf(organization);
  if (organization === undefined || brand === undefined) return undefined;
  const { accent, name = organization.name } = brand;
  const logo_url = shownPicture(brand.logo_url ?? organization.logo_url, context);
  const style_href = accent && `/assets/brand/${organization.id}.css?v=${version(accent)}`;
  return { name, logo_url, style_href };
}

async function accentOf(id: string, { store }: ShellContext["server"]): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const organization = await store.find("organizations", { id: id.toLowerCase() });
  return isActive(organization) ? brandOf(organization)?.accent : undefined;
}

const ofServer = "server";

/** Returns the brand of pages that belong to no organization; undefined for Postern's default look. */
export function serverBrand({
  accent,
  name,
  logo_url,
}: NonNullable<ShellContext["brand"]>): Brand | undefined {
  if (accent === undefined && name === undefined && logo_url === undefined) return undefined;
  const style_href = accent && `/assets/brand/${ofServer}.css?v=${version(accent)}`;
  return { name: name ?? "Postern", logo_url, style_href };
}

/**
 * Serves style sheets with the accent color of an organization or of the server. The preview in the console
 * may request any color.
 */
export function brandRoutes(app: FastifyInstance, { server, brand }: ShellContext): void {
  getAndHead(
    app,
    "/assets/brand/:file",
    { config: { kept: true, errorFormat: "json" } },
    async (request, reply) => {
      const { file } = request.params as { readonly file: string };
      const [, id] = /^(.+)\.css$/.exec(file) ?? [];
      const [, previewed] = /^accent-([0-9a-f]{6})$/.exec(id ?? "") ?? [];
      const ofRecord = async () => id && (id === ofServer ? brand?.accent : accentOf(id, server));
      const accent = previewed === undefined ? await ofRecord() : `#${previewed}`;
      if (!accent) throw refuse("style_sheet");
      const body = brandStyle(accent, previewed === undefined ? ":root" : ".brand-preview");
      return sendConditionally(request, cacheFor(reply, maxAge), {
        type: "text/css; charset=utf-8",
        body,
        etag: `"${version(body)}"`,
      });
    },
  );
}
