import type { ResourceType } from "../records/definition/permissions.ts";
import { type Html, html } from "./html/html.ts";
import type { PageLocale } from "./words/page_locale.ts";

type PermissionGrid = {
  /** Each row is a field of its own, such as `scopes.users`. */
  readonly name: string;
  readonly prefix: string;
  readonly offered: readonly string[];
  readonly chosen: readonly string[];
  readonly autofocus?: boolean | undefined;
};

const wordsOf = (prefix: string, resourceType: string) => ({
  read: `${prefix}${resourceType}:read`,
  write: `${prefix}${resourceType}:write`,
});

const rowsOf = ({ words }: Pick<PageLocale, "words">) => Object.keys(words.scopes.managed) as ResourceType[];

/** Returns the permissions in `list` that no row of the grid represents. */
export function besideGrid(
  list: readonly string[],
  prefix: string,
  locale: Pick<PageLocale, "words">,
): string[] {
  const inGrid = rowsOf(locale).flatMap((each) => Object.values(wordsOf(prefix, each)));
  return list.filter((word) => !inGrid.includes(word));
}

/** Renders a row for each resource type, with the options no access, read and write. */
export function permissionGrid(grid: PermissionGrid, { words }: Pick<PageLocale, "words">): Html {
  const { name, prefix, offered, chosen } = grid;
  const { managed, levels } = words.scopes;
  const rows = rowsOf({ words }).flatMap((resourceType) => {
    const { read, write } = wordsOf(prefix, resourceType);
    const had = [read, write].filter((word) => chosen.includes(word));
    const open = [read, write].filter((word) => offered.includes(word) || had.includes(word));
    if (open.length === 0) return [];
    const both = had.includes(write) ? had : open;
    return [
      {
        resourceType,
        level: had.includes(write) ? "write" : had.includes(read) ? "read" : "none",
        sent: {
          none: "",
          read: open.includes(read) ? read : undefined,
          write: open.includes(write) ? both.join(" ") : undefined,
        },
      },
    ];
  });
  const columns = ["none", "read", "write"] as const;
  return html`<table class="permission-grid"><thead><tr><th scope="col">${levels.resource}</th>${columns.map((each) => html`<th scope="col">${levels[each]}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ resourceType, level, sent }, index) =>
      html`<tr><th scope="row">${managed[resourceType]}</th>${columns.map(
        (each) =>
          html`<td>${sent[each] !== undefined && html`<label><input type="radio" name="${name}.${resourceType}" value="${sent[each]}"${each === level && html` checked`}${grid.autofocus && index === 0 && each === level && html` autofocus`}><span class="unseen">${managed[resourceType]}: ${levels[each]}</span></label>`}</td>`,
      )}</tr>\n`,
  )}</tbody></table>`;
}
