import { hiddenPictures } from "../../admin/changes/hidden_pictures.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { Words } from "../../web/words/words.ts";
import { fieldLabel } from "../fields/field_label.view.ts";
import { presentations } from "./presentations.http.ts";

export function noticesOf(
  { resourceType, table }: Resource,
  view: PublicView,
  words: Words,
  { picture_hosts = [], identity }: Pick<HttpContext, "picture_hosts" | "identity">,
): readonly string[] {
  const hidden = hiddenPictures(table, view, picture_hosts).map(({ path, host }) => {
    const field = path.slice(1).replaceAll("/", ".");
    return words.records.hiddenPicture(fieldLabel(field, words), host);
  });
  const { settings = {} } = identity;
  return [...(presentations[resourceType].notices?.(view, words, settings) ?? []), ...hidden];
}
