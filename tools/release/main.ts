/** `npm run release`: builds the files of a version, its commit and its tag. Nothing is published. */
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../packages/packing.ts";
import { newestVersion, tagOf } from "./checks.ts";
import { makeRelease } from "./release.ts";

const usage = `Creates the files of a version, and commits and tags it locally. Publishes nothing.

npm run release -- [VERSION] [--dry-run] [--unmeasured] [--out FOLDER] [--builder URI]

  VERSION        the version (default: that of the newest section in CHANGELOG.md)
  --dry-run      only create the files; do not change the work tree, history or tags
  --unmeasured   skip npm run bench:budget, which takes two minutes; a dry run always skips it
  --out FOLDER   folder for the files, whose contents are replaced (default: dist/release)
  --builder URI  the builder in the provenance statement (default: urn:postern:builder:unnamed)

The files come from the last commit, not from the work tree. docs/releasing.md describes them.
`;

/** Returns the manual steps that follow. */
function nextSteps(version: string, commit: string, out: string): string {
  const file = (name: string) => join(out, name);
  return `
Nothing was published. To publish the release, run these commands with your registry in place of REGISTRY:

  git push origin HEAD ${tagOf(version)}
  npm publish ${file(`postern-server-${version}.tgz`)}
  npm publish ${file(`postern-client-${version}.tgz`)}
  npm publish ${file(`postern-test-${version}.tgz`)}
  docker buildx build -f deploy/image/Dockerfile -t REGISTRY/postern:${version} --push \\
    --build-arg VERSION=${version} --build-arg REVISION=${commit} - < ${file(`postern-image-context-${version}.tar`)}
  helm push ${file(`postern-chart-${version}.tgz`)} oci://REGISTRY
`;
}

/** Returns the exit code: 0, 1 if a check failed, 2 for wrong usage. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "dry-run": { type: "boolean", default: false },
      unmeasured: { type: "boolean", default: false },
      out: { type: "string", default: join(root, "dist", "release") },
      builder: { type: "string", default: "urn:postern:builder:unnamed" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const [version = newestVersion(root), ...others] = positionals;
  if (version === undefined || others.length > 0 || !URL.canParse(values.builder)) {
    process.stderr.write(usage);
    return 2;
  }
  const { "dry-run": dry_run, builder } = values;
  const measured = !dry_run && !values.unmeasured;
  const out = resolve(values.out);
  const commit = await makeRelease({ version, dry_run, out, builder, measured }, ({ level, text }) => {
    process.stdout.write(`${level.padEnd(8)}${text}\n`);
  });
  if (commit === undefined) return 1;
  const made = readdirSync(out).map((name) => `  ${name}  ${statSync(join(out, name)).size} bytes\n`);
  process.stdout.write(`\n${out}, of commit ${commit}:\n${made.join("")}`);
  process.stdout.write(dry_run ? "\nDry run: no commit or tag was created.\n" : "");
  process.stdout.write(nextSteps(version, commit, out));
  return 0;
}

process.exitCode = await main();
