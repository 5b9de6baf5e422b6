import { type Html, html, type Printable } from "../../web/html/html.ts";

/** `label` is empty if the column's links explain themselves. */
type PlainColumn = { label: string; number?: boolean };

/** Renders a short table whose first column contains the row headings. */
export function plainTable(columns: readonly PlainColumn[], rows: readonly (readonly Printable[])[]): Html {
  const head = ({ label, number }: PlainColumn) =>
    label === ""
      ? html`<td role="cell"></td>`
      : html`<th${number && html` class="number"`} role="columnheader" scope="col">${label}</th>`;
  const cell = (value: Printable, index: number) => {
    const { label, number } = columns[index] ?? { label: "" };
    if (index === 0) return html`<th role="rowheader" scope="row">${value}</th>`;
    return html`<td${number && html` class="number"`} role="cell" data-label="${label}"><span>${value}</span></td>`;
  };
  return html`<table class="table" role="table">
<thead role="rowgroup"><tr role="row">${columns.map(head)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${row.map(cell)}</tr>`)}</tbody>
</table>`;
}
