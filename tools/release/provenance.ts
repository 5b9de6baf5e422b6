/** The statement of what was built from what: in-toto Statement 1 with the provenance of SLSA 1, unsigned. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Origin {
  readonly version: string;
  readonly commit: string;
  /** The URI of who builds. */
  readonly builder: string;
  readonly npm_version: string;
}

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** The Node that builds, as the lock file names it, where it is that one. */
function pinnedNode(root: string): object {
  const version = process.versions.node;
  const uri = `pkg:generic/node@${version}`;
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version?: string; integrity?: string }>;
  };
  const name = `node-${process.platform}-${process.arch}`;
  const locked = packages[`node_modules/${name}`];
  const [, base64] = /^sha512-(.+)$/.exec(locked?.integrity ?? "") ?? [];
  if (locked?.version !== version || base64 === undefined) return { uri };
  const digest = { sha512: Buffer.from(base64, "base64").toString("hex") };
  return { uri: `pkg:npm/${name}@${version}`, digest };
}

/** Without times, so that a second build from the same commit makes the same statement. */
export function provenanceOf(
  root: string,
  files: ReadonlyMap<string, Buffer>,
  { version, commit, builder, npm_version }: Origin,
): string {
  const lock = { sha256: sha256(readFileSync(join(root, "package-lock.json"))) };
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [...files].map(([name, bytes]) => ({ name, digest: { sha256: sha256(bytes) } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        // docs/releasing.md says what it does.
        buildType: "urn:postern:release:1",
        externalParameters: { version, commit },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: commit } },
          { name: "package-lock.json", digest: lock },
          pinnedNode(root),
          { uri: `pkg:npm/npm@${npm_version}` },
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}
