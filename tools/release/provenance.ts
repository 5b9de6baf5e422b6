/** Creates an unsigned statement of provenance: in-toto Statement 1 with SLSA Provenance 1. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Origin {
  readonly version: string;
  readonly commit: string;
  /** The URI of the builder. */
  readonly builder: string;
  readonly npm_version: string;
}

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/**
 * Returns the Node that runs the build as a dependency. It has a digest only if the lock file contains the
 * same version.
 */
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

/** Contains no times, so that a second build of the same commit has the same provenance. */
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
        // docs/releasing.md describes this build type.
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
