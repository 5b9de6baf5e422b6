// Writes package.json and its lock file without development packages into the folder $1, for `npm sbom`.
// Its own --omit=dev would also omit packages that are both kinds of dependency, such as jose and pg.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const read = (name) => JSON.parse(readFileSync(name, "utf8"));
const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));

const { devDependencies: _, overrides: __, ...description } = read("package.json");
write("package.json", description);

const lock = read("package-lock.json");
const kept = Object.entries(lock.packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
const packages = Object.fromEntries(kept);
delete packages[""].devDependencies;
write("package-lock.json", { ...lock, packages });
