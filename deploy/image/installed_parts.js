// Reads the CycloneDX list that npm makes of a lock file, and writes it without packages that were not
// installed on this system.
import { readFileSync } from "node:fs";

const list = JSON.parse(readFileSync(0, "utf8"));
const { packages } = JSON.parse(readFileSync("node_modules/.package-lock.json", "utf8"));
const names = Object.entries(packages).map(
  ([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`,
);
const installed = new Set(names);
const components = list.components.filter(({ name, version }) => installed.has(`${name}@${version}`));
const known = new Set([list.metadata.component["bom-ref"], ...components.map((part) => part["bom-ref"])]);
const dependencies = list.dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((name) => known.has(name)) }));
process.stdout.write(`${JSON.stringify({ ...list, components, dependencies }, null, 2)}\n`);
