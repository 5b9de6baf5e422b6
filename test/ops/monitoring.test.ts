import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { createMetrics, metricNames } from "../../src/ops/metrics.ts";

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../deploy/monitoring", name), "utf8");

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const rules = (parse(read("alerts.yml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(read("dashboard.json")) as { panels: Panel[] };
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

test("every metric in the dashboard and the alerts exists", async () => {
  const { text } = await createMetrics({ process_metrics: true });
  const exported = new Set(
    [...metricNames, ...(await text()).matchAll(/^# TYPE (\S+)/gm)].map((each) =>
      typeof each === "string" ? each : each[1],
    ),
  );
  assert.ok(expressions.length > 40, String(expressions.length));
  for (const [where, expr] of expressions) {
    const names = expr.match(/\b(?:postern|process|nodejs)_\w+/g) ?? [];
    assert.ok(names.length > 0 || /\bup\b/.test(expr), `${where}: ${expr}`);
    for (const name of names)
      assert.ok(
        exported.has(name) || exported.has(name.replace(/_(?:bucket|sum|count)$/, "")),
        `${where}: ${name}`,
      );
  }
});

test("every metric of this server is on the dashboard", () => {
  const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join("\n");
  const elsewhere = [
    "postern_hash_queue_limit",
    "postern_revocation_failures_total",
    "postern_log_lines_dropped_total",
    "postern_outbox_oldest_timestamp_seconds",
  ];
  const alerts = rules.map(({ expr }) => expr).join("\n");
  for (const name of metricNames)
    assert.ok((elsewhere.includes(name) ? alerts : shown).includes(name), `${name} is nowhere`);
});

test("every alert states the problem and the remedy", () => {
  for (const { alert, annotations } of rules) {
    assert.ok(annotations.summary && annotations.description, alert);
    assert.match(alert, /^Postern[A-Z]/);
  }
});
