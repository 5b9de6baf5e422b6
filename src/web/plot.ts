import { type Html, html } from "./html.ts";

export type PlotSeries = { name: string; values: readonly number[] };

export type Plot = {
  title: string;
  /** What the picture shows, in a sentence, for those who do not see it. */
  summary: string;
  /** What `moments` are, as the head of the table's first column. */
  moment_label: string;
  /** One for each value of a series, the oldest first, as the axis and the table are to show it. */
  moments: readonly string[];
  /** At most three; stacked on each other, the first at the bottom. Counts: whole numbers, not negative. */
  series: readonly PlotSeries[];
  /** What opens the table of the same figures. */
  table_label: string;
  /** How a number is written in the reader's language. */
  format: (value: number) => string;
};

/** Pixels. Across, everything is in per cent, so that words keep their size on every screen. */
const height = 200;
const top = 18;
const ground = 176;

const shades = ["a", "b", "c"] as const;

/** The lowest of 1, 2, 4, 6, 8, 10, 20, 40 … that no value exceeds: each but 1 has a whole half for a line of its own. */
function ceilingOf(values: readonly number[]): number {
  const highest = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((ceiling) => ceiling >= highest) ?? highest;
}

const tidy = (value: number) => String(Math.round(value * 100) / 100);

const heightOf = (value: number, ceiling: number) => (value / ceiling) * (ground - top);

function gridLine(value: number, ceiling: number): Html {
  const y = tidy(ground - heightOf(value, ceiling));
  return html`<line class="plot-line" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
}

function gridLabel(value: number, ceiling: number, format: Plot["format"]): Html {
  return html`<text x="0" y="${tidy(ground - heightOf(value, ceiling) - 4)}">${format(value)}</text>`;
}

function bars(series: readonly PlotSeries[], index: number, count: number, ceiling: number): Html {
  const share = 100 / count;
  let y = ground;
  return html`${series.map(({ values }, shade) => {
    const size = heightOf(values[index] ?? 0, ceiling);
    y -= size;
    return (
      size > 0 &&
      html`<rect class="plot-${shades[shade] ?? "c"}" x="${tidy((index + 0.14) * share)}%" y="${tidy(y)}" width="${tidy(share * 0.72)}%" height="${tidy(size)}"/>`
    );
  })}`;
}

/** The first moment, the middle one and the last: more would run into each other on a telephone. */
function momentLabels(moments: readonly string[]): Html {
  const middle = moments.length > 4 ? moments[Math.floor((moments.length - 1) / 2)] : undefined;
  const [first, last] = [moments[0], moments.length > 1 ? moments.at(-1) : undefined];
  return html`<text x="0" y="${height - 6}">${first}</text>${middle !== undefined && html`<text x="50%" y="${height - 6}" text-anchor="middle">${middle}</text>`}${last !== undefined && html`<text x="100%" y="${height - 6}" text-anchor="end">${last}</text>`}`;
}

/** Bars over time as an inline picture, with its legend and the table of the same figures behind it. */
export function plot({ title, summary, moment_label, moments, series, table_label, format }: Plot): Html {
  const totals = moments.map((_, index) =>
    series.reduce((total, { values }) => total + (values[index] ?? 0), 0),
  );
  const ceiling = ceilingOf(totals);
  const halves = ceiling % 2 === 0 ? [ceiling, ceiling / 2] : [ceiling];
  return html`<figure class="plot">
<figcaption><h2>${title}</h2></figcaption>
<svg width="100%" height="${height}" role="img" aria-label="${summary}">${halves.map((value) => gridLine(value, ceiling))}${moments.map((_, index) => bars(series, index, moments.length, ceiling))}${halves.map((value) => gridLabel(value, ceiling, format))}<line class="plot-axis" x1="0" x2="100%" y1="${ground}" y2="${ground}"/>${momentLabels(moments)}</svg>
<ul class="plot-legend">${series.map(({ name }, shade) => html`<li class="plot-${shades[shade] ?? "c"}"><span>${name}</span></li>`)}</ul>
<details><summary>${table_label}</summary>
<table class="table" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${moment_label}</th>${series.map(({ name }) => html`<th class="number" role="columnheader" scope="col">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${moments.map((moment, index) => html`<tr role="row"><th role="rowheader" scope="row">${moment}</th>${series.map(({ name, values }) => html`<td class="number" role="cell" data-label="${name}">${format(values[index] ?? 0)}</td>`)}</tr>`)}</tbody></table>
</details>
</figure>`;
}
