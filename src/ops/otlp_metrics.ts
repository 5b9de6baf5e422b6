/**
 * Converts the metrics of prom-client to those of the OpenTelemetry SDK, with the same names.
 */
import type { HrTime } from "@opentelemetry/api";
import type { DataPoint, MetricData } from "@opentelemetry/sdk-metrics";
import type { MetricsSnapshot } from "./metrics.ts";

type Labels = Readonly<Record<string, string | number>>;

/** A unit is set only if the name ends with it, because Prometheus appends any other unit to the name. */
function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return "s";
  return /_bytes(?:_total)?$/.test(name) ? "By" : "";
}

const hrTime = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  Math.round((milliseconds % 1000) * 1e6),
];

interface Buckets {
  boundaries: number[];
  cumulative: number[];
  count: number;
  sum: number;
  labels: Labels;
}

function bucketsOf(values: readonly { labels: Labels; value: number; metricName?: string }[]): Buckets[] {
  const series = new Map<string, Buckets>();
  for (const { labels, value, metricName = "" } of values) {
    const { le, ...own } = labels;
    const key = JSON.stringify(Object.entries(own).toSorted());
    const found = series.get(key) ?? { boundaries: [], cumulative: [], count: 0, sum: 0, labels: own };
    series.set(key, found);
    if (metricName.endsWith("_sum")) found.sum = value;
    else if (metricName.endsWith("_count")) found.count = value;
    else if (le !== undefined && le !== "+Inf") {
      found.boundaries.push(Number(le));
      found.cumulative.push(value);
    }
  }
  return [...series.values()];
}

/** Returns the metrics since `started`, read at `at`; both are in milliseconds since 1970. */
export async function otlpMetrics(
  snapshot: MetricsSnapshot,
  { started, at }: { readonly started: number; readonly at: number },
): Promise<MetricData[]> {
  const [{ ValueType }, { AggregationTemporality, DataPointType }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-metrics"),
  ]);
  const times = { startTime: hrTime(started), endTime: hrTime(at) };
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  return snapshot.flatMap((metric): MetricData[] => {
    const { name, help, type: kind } = metric as unknown as { name: string; help: string; type: string };
    const values = metric.values as { labels: Labels; value: number; metricName?: string }[];
    const descriptor = { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE };
    const points = (): DataPoint<number>[] =>
      values.map(({ labels, value }) => ({ ...times, attributes: { ...labels }, value }));
    switch (kind) {
      case "counter": {
        const dataPointType = DataPointType.SUM;
        const dataPoints = points();
        return [{ descriptor, aggregationTemporality, dataPointType, dataPoints, isMonotonic: true }];
      }
      case "gauge":
        return [
          { descriptor, aggregationTemporality, dataPointType: DataPointType.GAUGE, dataPoints: points() },
        ];
      case "histogram": {
        const dataPoints = bucketsOf(values).map(({ boundaries, cumulative, count, sum, labels }) => ({
          ...times,
          attributes: { ...labels },
          value: {
            buckets: {
              boundaries,
              counts: [...cumulative, count].map((each, index, all) => each - (all[index - 1] ?? 0)),
            },
            ...{ count, sum },
          },
        }));
        return [{ descriptor, aggregationTemporality, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
      }
      default:
        return [];
    }
  });
}
