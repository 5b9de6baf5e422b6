// Reads the CycloneDX list that npm makes of a lock file, and writes it without what this system did not install.
import { existsSync, readFileSync } from "node:fs";

const list = JSON.parse(readFileSync(0, "utf8"));
const installed = ({ name }) => existsSync(`node_modules/${name}`);
const components = list.components.filter(installed);
const known = new Set([list.metadata.component["bom-ref"], ...components.map((part) => part["bom-ref"])]);
const dependencies = list.dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((name) => known.has(name)) }));
process.stdout.write(`${JSON.stringify({ ...list, components, dependencies }, null, 2)}\n`);
