/** Builds the files of a release from a folder that contains exactly the files of one commit. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { filesOf, gzipped, tarOf } from "./archive.ts";
import { sectionsOf } from "./changelog.ts";
import { trackedFiles } from "./git.ts";
import { imageContext } from "./image_context.ts";
import { errorsOfSbom, sbomOf } from "./sbom.ts";

export type Artifacts = ReadonlyMap<string, Buffer>;

const packages = ["server", "client", "test"] as const;

/** Returns the tarball of `@postern/NAME`, built with the commit's own builder. */
function packageTarball(root: string, name: string): [string, Buffer] {
  const out = mkdtempSync(join(tmpdir(), "postern-release-"));
  try {
    const builder = join(root, "packages", name, "build_package.ts");
    const stdio: ["ignore", "pipe", "inherit"] = ["ignore", "pipe", "inherit"];
    const printed = execFileSync(process.execPath, [builder, "--out", out], { encoding: "utf8", stdio });
    const path = printed.trim();
    return [basename(path), readFileSync(path)];
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** Returns the chart in the layout of `helm package`: in one folder with its name. */
async function chartArchive(root: string): Promise<Buffer> {
  const folder = join(root, "deploy", "chart");
  const files = trackedFiles(folder).map(({ path }) => ({
    name: `postern/${path}`,
    bytes: readFileSync(join(folder, path)),
  }));
  return gzipped(await tarOf(files));
}

/** Returns every file except the provenance and the checksums, which describe these files. */
export async function makeArtifacts(root: string, version: string, date: string): Promise<Artifacts> {
  const section = sectionsOf(readFileSync(join(root, "CHANGELOG.md"), "utf8")).find(
    (each) => each.version === version,
  );
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
  return new Map([
    ...packages.map((name) => packageTarball(root, name)),
    [`postern-image-context-${version}.tar`, await tarOf(imageContext(root))],
    [`postern-chart-${version}.tgz`, await chartArchive(root)],
    [`postern-${version}.cdx.json`, Buffer.from(sbomOf(root, date))],
    [`postern-${version}.changes.md`, Buffer.from(`${section.text}\n`)],
  ]);
}

/** Files in which an archive states the version, by the suffix of the archive's name. */
const stated: readonly { readonly artifact: RegExp; readonly file: string; readonly version: RegExp }[] = [
  {
    artifact: /^postern-(?:server|client|test)-.*\.tgz$/,
    file: "package/package.json",
    version: /"version": "([^"]+)"/,
  },
  {
    artifact: /^postern-image-context-.*\.tar$/,
    file: "package.json",
    version: /"version": "([^"]+)"/,
  },
  { artifact: /^postern-chart-.*\.tgz$/, file: "postern/Chart.yaml", version: /^appVersion: "?([^"\n]+)/m },
];

/** Returns the errors in the files, which are read from their archives. */
export async function errorsOfArtifacts(artifacts: Artifacts, version: string): Promise<readonly string[]> {
  const errors: string[] = [];
  for (const [name, bytes] of artifacts) {
    if (!name.includes(version)) errors.push(`${name} does not name the version`);
    if (bytes.length === 0) errors.push(`${name} is empty`);
    const place = stated.find(({ artifact }) => artifact.test(name));
    if (place !== undefined) {
      const file = (await filesOf(bytes)).find((each) => each.name === place.file);
      const said = place.version.exec(file?.bytes.toString() ?? "")?.[1];
      if (said !== version) errors.push(`${name} says version ${said}`);
    }
    if (name.endsWith(".cdx.json")) {
      const text = bytes.toString();
      const { metadata } = JSON.parse(text);
      if (metadata.component.version !== version)
        errors.push(`${name} says version ${metadata.component.version}`);
      errors.push(...(await errorsOfSbom(text)).map((error) => `${name}: ${error}`));
    }
  }
  return errors;
}
