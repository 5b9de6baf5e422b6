import { type Html, html, type Printable } from "./html.ts";

type PlotSeries = { name: string; values: readonly number[] };

export type Chart = {
  title: string;
  summary: string;
  moment_label: string;
  moments: readonly string[];
  times?: readonly Date[] | undefined;
  /** At most three series, stacked with the first at the bottom. Values are counts: non-negative integers. */
  series: readonly PlotSeries[];
  table_label: string;
  format: (value: number) => string;
};

/** Heights in pixels. Horizontal positions are in percent, so that text keeps its size on every screen. */
const height = 200;
const top = 18;
const baseline = 176;

const shades = ["a", "b", "c"] as const;

/**
 * Returns the upper end of the axis. The chart also has a line at half of it, so every result except 1 is
 * even.
 */
function ceilingOf(values: readonly number[]): number {
  const highest = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((ceiling) => ceiling >= highest) ?? highest;
}

const tidy = (value: number) => String(Math.round(value * 100) / 100);

/** Finer steps are invisible, and the bars make up most of a page's bytes. */
const tenths = (value: number) => String(Math.round(value * 10) / 10);

const heightOf = (value: number, ceiling: number) => (value / ceiling) * (baseline - top);

function gridLine(value: number, ceiling: number): Html {
  const y = tidy(baseline - heightOf(value, ceiling));
  return html`<line class="plot-line" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
}

function gridLabel(value: number, ceiling: number, format: Chart["format"]): Html {
  return html`<text x="100%" y="${tidy(baseline - heightOf(value, ceiling) - 4)}" text-anchor="end">${format(value)}</text>`;
}

const barWidth = 0.72;

/**
 * In the coordinates of a path, each value has a width of 1; the path is stretched to the width of the chart.
 */
function bars(series: readonly PlotSeries[], count: number, ceiling: number): Html {
  const baselines: number[] = Array(count).fill(baseline);
  const paths = series.map(({ values }) =>
    baselines.map((below, index) => {
      const size = heightOf(values[index] ?? 0, ceiling);
      if (size === 0) return "";
      const y = below - size;
      baselines[index] = y;
      return `M${tidy(index + (1 - barWidth) / 2)} ${tenths(below)}V${tenths(y)}h${barWidth}V${tenths(below)}z`;
    }),
  );
  return html`<svg class="plot-inner" viewBox="0 0 ${Math.max(1, count)} ${height}" preserveAspectRatio="none">${paths.map(
    (path, shade) =>
      path.some((bar) => bar !== "") &&
      html`<path class="plot-${shades[shade] ?? "c"}" d="${path.join("")}"/>`,
  )}</svg>`;
}

/** More than three labels would overlap on a phone. */
function momentLabels(moments: readonly string[]): Html {
  const middle = moments.length > 4 ? moments[Math.floor((moments.length - 1) / 2)] : undefined;
  const [first, last] = [moments[0], moments.length > 1 ? moments.at(-1) : undefined];
  return html`<svg class="plot-inner"><text x="0" y="${height - 6}">${first}</text>${middle !== undefined && html`<text x="50%" y="${height - 6}" text-anchor="middle">${middle}</text>`}${last !== undefined && html`<text x="100%" y="${height - 6}" text-anchor="end">${last}</text>`}</svg>`;
}

// Uses no `time` element, because the enhancement script would convert it to local time, while the axis is in
// UTC.
function timed(moment: string, time: Date | undefined): Printable {
  return time === undefined
    ? moment
    : html`<data value="${time.toISOString().slice(0, 16)}Z">${moment}</data>`;
}

/** Renders bars over time as an inline SVG image, with a table of the same numbers. */
export function chart(shown: Chart): Html {
  const { title, summary, moment_label, moments, times, series, table_label, format } = shown;
  const totals = moments.map((_, index) =>
    series.reduce((total, { values }) => total + (values[index] ?? 0), 0),
  );
  const ceiling = ceilingOf(totals);
  const halves = ceiling % 2 === 0 ? [ceiling, ceiling / 2] : [ceiling];
  return html`<figure class="plot">
<figcaption><h2>${title}</h2></figcaption>
<svg width="100%" height="${height}" role="img" aria-label="${summary}">${halves.map((value) => gridLine(value, ceiling))}${bars(series, moments.length, ceiling)}${halves.map((value) => gridLabel(value, ceiling, format))}<line class="plot-axis" x1="0" x2="100%" y1="${baseline}" y2="${baseline}"/>${momentLabels(moments)}</svg>
<ul class="plot-legend">${series.map(({ name }, shade) => html`<li class="plot-${shades[shade] ?? "c"}"><span>${name}</span></li>`)}</ul>
<details><summary>${table_label}</summary>
<table class="table" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${moment_label}</th>${series.map(({ name }) => html`<th class="number" role="columnheader" scope="col">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${moments.map((moment, index) => html`<tr role="row"><th role="rowheader" scope="row">${timed(moment, times?.[index])}</th>${series.map(({ name, values }) => html`<td class="number" role="cell" data-label="${name}">${format(values[index] ?? 0)}</td>`)}</tr>`)}</tbody></table>
</details>
</figure>`;
}
