/** The parts of a release. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { filesOf, gzipped, tarOf } from "../../tools/release/archive.ts";
import { sectionsOf, withReleased } from "../../tools/release/changelog.ts";
import { budgetFinding } from "../../tools/release/checks.ts";
import { imageContext, isLetThrough } from "../../tools/release/image_context.ts";
import { errorsOfSbom, sbomOf } from "../../tools/release/sbom.ts";
import { misplacedVersions, places, writeVersion } from "../../tools/release/version_places.ts";
import { temporaryFolder } from "../support/temp.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { version } = JSON.parse(read("package.json")) as { version: string };

describe("the version of the release", () => {
  test("is the same in package.json, lock file, chart, documents and samples", () => {
    assert.deepEqual(misplacedVersions(root, version), []);
    assert.deepEqual(misplacedVersions(root, "99.0.0").length, 7);
  });

  test("is written to every place together, and its changelog section is marked as released", () => {
    const folder = temporaryFolder();
    for (const path of [...places.map((place) => place.path), "CHANGELOG.md"]) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      cpSync(join(root, path), join(folder, path));
    }
    const [newest] = sectionsOf(read("CHANGELOG.md"));
    assert.ok(newest);
    writeVersion(folder, newest.version);
    assert.deepEqual(misplacedVersions(folder, newest.version), []);
    const [released] = sectionsOf(readFileSync(join(folder, "CHANGELOG.md"), "utf8"));
    assert.deepEqual(released, { ...newest, unreleased: false });
    // The rest of the lock file is unchanged.
    const lines = (text: string) => text.split("\n").filter((line) => !line.includes('"version"'));
    assert.deepEqual(
      lines(readFileSync(join(folder, "package-lock.json"), "utf8")),
      lines(read("package-lock.json")),
    );
  });

  test("the sections of a changelog are its second-level headings, newest first", () => {
    const text = "# Changelog\n\n## 2.0.0 (unreleased)\n\n- New.\n\n## 1.0.0\n\n- Old.\n### Deeper\n";
    assert.deepEqual(sectionsOf(text), [
      { version: "2.0.0", unreleased: true, text: "- New." },
      { version: "1.0.0", unreleased: false, text: "- Old.\n### Deeper" },
    ]);
    assert.equal(sectionsOf(withReleased(text, "1.0.0"))[0]?.unreleased, true);
    assert.equal(sectionsOf(withReleased(text, "2.0.0"))[0]?.unreleased, false);
  });
});

test("a route that exceeds its budget of processor time is an error, and so is an unmeasured budget", () => {
  const levelAndText = (status: number | null, stdout: string) =>
    Object.values(budgetFinding({ status, stdout })).join(": ");
  assert.match(levelAndText(0, "| jwks | 1.00 |"), /^ok: /);
  assert.equal(
    levelAndText(1, "| jwks |\n\nOver the budget: jwks, refresh.\n"),
    "error: over the budget: jwks, refresh",
  );
  assert.match(levelAndText(1, ""), /^error: .*could not be run/);
  assert.match(levelAndText(null, ""), /^error: .*could not be run/);
});

describe("release archives", () => {
  test("have the same bytes for the same files in any order, and can be unpacked", async () => {
    const files = [
      { name: "b/run.sh", bytes: Buffer.from("#!/bin/sh\n"), executable: true },
      { name: "a.txt", bytes: Buffer.from([0, 255, 10]), executable: false },
    ];
    const archive = gzipped(await tarOf(files));
    assert.deepEqual(archive, gzipped(await tarOf(files.toReversed())));
    assert.deepEqual(await filesOf(archive), files.toReversed());
  });

  test("the last matching line of a .dockerignore decides", () => {
    const lines = ["*", "!/src", "!/deploy/image", "/src/secret", "**/*.tgz"];
    const paths = [
      "src/main.ts",
      "src/secret/key",
      "src/x/y.tgz",
      "deploy/image/Dockerfile",
      "deploy/compose.yaml",
      ".ci/run",
      "docs/site/.npmrc",
    ];
    assert.deepEqual(
      paths.filter((path) => isLetThrough(path, lines)),
      ["src/main.ts", "deploy/image/Dockerfile"],
    );
  });

  test("the image's build context contains what its Dockerfile copies and runs, and no tests", () => {
    const names = imageContext(root).map(({ name }) => name);
    const dockerfile = read("deploy/image/Dockerfile");
    const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, list = ""]) =>
      list.split(" "),
    );
    const run = [...dockerfile.matchAll(/\/build\/(\S+)/g)].map(([, path = ""]) => path);
    const needed = [...copied, ...run, "deploy/image/Dockerfile", ".dockerignore"].filter(
      (path) => path !== ".",
    );
    assert.ok(needed.length > 6);
    assert.deepEqual(
      needed.filter((path) => !names.includes(path)),
      [],
    );
    assert.deepEqual(
      names.filter((name) => /^(?:test|docs|bench|data|release|\.ci|\.gitignore)\b/.test(name)),
      [],
    );
  });
});

describe("the software bill of materials", () => {
  const text = sbomOf(root, "2026-01-02T03:04:05+01:00");
  const sbom = JSON.parse(text);

  test("conforms to the CycloneDX schema, which refuses an invalid one", async () => {
    assert.deepEqual(await errorsOfSbom(text), []);
    assert.equal((await errorsOfSbom(JSON.stringify({ ...sbom, components: [{ name: "x" }] }))).length, 1);
  });

  test("lists every production package of the lock file with version, license and hash, and no other", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, { version?: string; dev?: boolean; devOptional?: boolean }>;
    };
    const locked = Object.entries(packages)
      .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
      .map(([path, { version }]) => `${path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`);
    const listed = (sbom.components as { name: string; version: string }[]).map(
      ({ name, version }) => `${name}@${version}`,
    );
    assert.ok(listed.length > 60, String(listed.length));
    assert.deepEqual([...new Set(listed)].toSorted(), [...new Set(locked)].toSorted());
    for (const { name, licenses, hashes } of sbom.components)
      assert.ok(licenses?.length > 0 && hashes?.length > 0, name);
  });

  test("names this version, the given time, and an identifier derived from its list", () => {
    const { component, timestamp } = sbom.metadata;
    assert.deepEqual(
      [component.name, component.version, timestamp],
      ["postern", version, "2026-01-02T02:04:05.000Z"],
    );
    assert.match(
      sbom.serialNumber,
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    assert.equal(sbomOf(root, "2026-01-02T02:04:05Z"), text);
    assert.notEqual(JSON.parse(sbomOf(root, "2026-01-03T02:04:05Z")).serialNumber, sbom.serialNumber);
  });
});
