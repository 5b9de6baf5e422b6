import type { Resource } from "../../admin/resources/resources.ts";
import { shownPicture } from "../../http/pictures.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { Typed } from "../forms/record_form.http.ts";
import type { BrandPreview } from "./brand_preview.view.ts";

export function brandIn(
  { table }: Resource,
  typed: Typed,
  context: Pick<HttpContext, "picture_hosts">,
): BrandPreview | undefined {
  if (table !== "organizations") return undefined;
  const [name, accent, logo] = ["name", "accent", "logo_url"].map((member) => `settings.brand.${member}`);
  if (name === undefined || accent === undefined || logo === undefined) return undefined;
  const text = (field: string) => String(typed[field] ?? "").trim();
  return {
    name: text(name) || text("name"),
    accent: /^#[0-9a-f]{6}$/i.exec(text(accent))?.[0],
    logo_url: shownPicture(text(logo) || text("logo_url"), context),
    fields: { name, accent, logo },
  };
}
