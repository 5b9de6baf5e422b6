/**
 * Creates the bill of materials (SBOM) of a server installation with npm from the lock file, in CycloneDX
 * JSON.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";

interface Sbom {
  serialNumber: string;
  readonly specVersion: string;
  readonly metadata: { timestamp: string; readonly component: { name: string; readonly version: string } };
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

/** Returns a hash of the text as a UUID of version 8 (RFC 9562). */
function uuidOf(text: string): string {
  const bytes = createHash("sha256").update(text).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

/**
 * Returns the SBOM of the production packages, including optional packages of all systems. Its serial
 * number is a hash, and its time is `date`: npm would use a random number and the current time, so builds
 * would differ.
 */
export function sbomOf(root: string, date: string): string {
  const folder = mkdtempSync(join(tmpdir(), "postern-sbom-"));
  const printed = (() => {
    try {
      execFileSync(process.execPath, [join(root, "deploy", "image", "production_lock.js"), folder], {
        cwd: root,
      });
      return execFileSync("npm", ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"], {
        cwd: folder,
        encoding: "utf8",
        maxBuffer: 1 << 26,
        // On Windows, npm is a script, which only a shell can run.
        shell: process.platform === "win32",
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  })();
  const sbom = JSON.parse(printed) as Sbom;
  // npm names the component after the temporary folder.
  sbom.metadata.component.name = "postern";
  sbom.metadata.timestamp = new Date(date).toISOString();
  sbom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify({ ...sbom, serialNumber: "" }))}`;
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** Returns the violations of the CycloneDX schema; empty if there are none. */
export async function errorsOfSbom(text: string): Promise<readonly string[]> {
  const { specVersion } = JSON.parse(text) as Sbom;
  const version = Object.values(Spec.Version).find((each) => each === specVersion);
  if (version === undefined) return [`CycloneDX ${specVersion} is not known here`];
  const found = await new Validation.JsonStrictValidator(version).validate(text);
  return found === null ? [] : [JSON.stringify(found)];
}
