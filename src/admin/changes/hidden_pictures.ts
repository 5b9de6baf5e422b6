import type { TableName } from "../../records/definition/definition.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { isInlinePicture, isShownPicture } from "../../records/names/picture.ts";
import type { AdminContext } from "../access/actor.ts";

interface HiddenPicture {
  readonly path: string;
  readonly host: string;
}

const members: { readonly [T in TableName]?: readonly (readonly string[])[] } = {
  users: [["avatar_url"]],
  organizations: [["logo_url"], ["settings", "brand", "logo_url"]],
  oauth_apps: [["logo_url"]],
};

const valueAt = (record: unknown, [name, ...deeper]: readonly string[]): unknown =>
  name === undefined ? record : isObject(record) ? valueAt(record[name], deeper) : undefined;

/**
 * Returns the field path and host of each picture that pages do not load because `picture_hosts` does not
 * contain its host.
 */
export function hiddenPictures(
  table: TableName,
  record: object | undefined,
  picture_hosts: readonly string[] | undefined,
): HiddenPicture[] {
  const provenance = valueAt(record, ["provenance"]) ?? "registered";
  if (picture_hosts === undefined || provenance !== "registered") return [];
  return (members[table] ?? []).flatMap((names) => {
    const address = valueAt(record, names);
    if (typeof address !== "string" || isInlinePicture(address) || isShownPicture(address, picture_hosts))
      return [];
    const host = URL.parse(address)?.host;
    return host === undefined ? [] : [{ path: `/${names.join("/")}`, host }];
  });
}

export function warnOfPictures(
  { warn, picture_hosts }: Pick<AdminContext, "warn" | "picture_hosts">,
  table: TableName,
  { before, after }: { readonly before?: object | undefined; readonly after: object },
): void {
  const known = hiddenPictures(table, before, picture_hosts);
  for (const { path, host } of hiddenPictures(table, after, picture_hosts)) {
    if (known.some((each) => each.path === path && each.host === host)) continue;
    warn?.(`${path}: pages do not show this picture; add ${host} to POSTERN_PICTURE_HOSTS to show it`);
  }
}
