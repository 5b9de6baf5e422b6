/**
 * `npm run monitoring`: checks the alert rules, the dashboard and the metrics with promtool (of the
 * package `prometheus`) and Grafana's dashboard-linter, a Go module. The tests check less, because these
 * tools may be missing there.
 */
import { spawnSync } from "node:child_process";
import { createMetrics, metricNames } from "../../src/ops/metrics.ts";

const usage = `Checks deploy/monitoring with promtool and dashboard-linter, which must be on the PATH.

npm run monitoring

  promtool          comes with Prometheus: apt install prometheus, or https://prometheus.io/download/
  dashboard-linter  go install github.com/grafana/dashboard-linter@latest
`;

const folder = import.meta.dirname;

/** Runs a tool and returns whether it succeeded; its output goes to standard error. */
function passes(tool: string, args: readonly string[], input = ""): boolean {
  process.stderr.write(`\n${tool} ${args.join(" ")}\n`);
  const { status, error } = spawnSync(tool, args, {
    cwd: folder,
    input,
    stdio: ["pipe", process.stderr, process.stderr],
  });
  if (error !== undefined) process.stderr.write(`${tool} cannot be started: ${error.message}\n${usage}`);
  return status === 0;
}

if (process.argv.includes("--help")) {
  process.stdout.write(usage);
} else {
  const metrics = await createMetrics();
  const text = await metrics.text();
  process.stderr.write(`${metricNames.length} metrics\n`);
  const checks = [
    passes("promtool", ["check", "metrics"], text),
    passes("promtool", ["check", "rules", "alerts.yml"]),
    passes("promtool", ["test", "rules", "alerts_test.yml"]),
    passes("dashboard-linter", ["lint", "--strict", "dashboard.json"]),
  ];
  process.exitCode = checks.every(Boolean) ? 0 : 1;
}
