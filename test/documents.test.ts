/** The documents as a whole: the site's navigation contains each of them, and their links have targets. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { anchorOf } from "../docs/site/anchor.ts";
import { chapters, titleOf, versionOfDocuments } from "../docs/site/navigation.ts";
import { targetOf, withLinks } from "../docs/site/stage.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const documents = globSync(
  [
    "*.md",
    "docs/*.md",
    "docs/operations/*.md",
    "docs/decisions/*.md",
    "packages/*/README.md",
    "examples/*/README.md",
  ],
  { cwd: root },
).map((path) => path.replaceAll("\\", "/"));

interface Link {
  readonly document: string;
  readonly path: string;
  readonly anchor: string;
}

function linksOf(document: string): readonly Link[] {
  const links: Link[] = [];
  withLinks(read(document), (path, anchor) => {
    links.push({ document, path, anchor: decodeURIComponent(anchor.slice(1)) });
    return "";
  });
  return links;
}

/** Returns the anchors of the headings; a repeated heading has a number. */
function anchorsOf(document: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const text = read(document).replace(/^```[\s\S]*?^```/gm, "");
  for (const [, heading = ""] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
    const anchor = anchorOf(plain);
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

describe("the documentation", () => {
  test("has each document exactly once in the site's navigation, with the quickstarts first", () => {
    const named = chapters.flatMap((chapter) => chapter.documents);
    assert.deepEqual(named.toSorted(), documents.toSorted());
    assert.equal(chapters[0]?.title, "Quickstarts");
    for (const document of named) assert.ok(titleOf(document).length > 0, document);
  });

  test("names the version of the changelog's newest section", () => {
    assert.match(versionOfDocuments(), /^\d+\.\d+\.\d+( \(unreleased\))?$/);
  });

  test("links only to files and headings that exist", () => {
    const links = documents.flatMap(linksOf);
    assert.ok(links.length > 300, String(links.length));
    const anchors = new Map(documents.map((document) => [document, anchorsOf(document)]));
    const dead = links.filter(({ document, path, anchor }) => {
      const target = targetOf(document, path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== "" && !anchors.get(target)?.has(anchor);
    });
    assert.deepEqual(dead, []);
  });

  test("links each decision by its title in the index of decisions", () => {
    const topics = documents.filter((path) => /^docs\/decisions\/[a-z-]+\.md$/.test(path));
    assert.ok(topics.length > 20, String(topics.length));
    const titles = topics.flatMap((path) =>
      [...read(path).matchAll(/^## (.+)$/gm)].map(([, title = ""]) => {
        const plain = title.replaceAll("`", "");
        return `[${plain}](${path.replace("docs/decisions/", "")}#${anchorOf(plain)})`;
      }),
    );
    const listed = read("docs/decisions/README.md").match(/\[[^\]]+\]\([a-z-]+\.md#[^)]+\)/g) ?? [];
    assert.deepEqual(listed.toSorted(), titles.toSorted());
  });

  test("uses the heading anchors of Git hosting sites", () => {
    const headings = ["A Helm chart", "What was (not) run?", "`npm run docs`: a site", "§ 7.5 – Größe_1"];
    assert.deepEqual(headings.map(anchorOf), [
      "a-helm-chart",
      "what-was-not-run",
      "npm-run-docs-a-site",
      "-75--größe_1",
    ]);
  });
});
