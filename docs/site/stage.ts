/** A copy of the documents for the generator, in which links to files that are not documents lead to a copy of the file. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { chapters, decisionIndex, pageOf, root } from "./navigation.ts";

/** Relative addresses in a Markdown text outside of code: of links, and of pictures in HTML. */
const relativeLink = /(?<=\]\(|src=")(?!https?:|mailto:)(?<path>[^)#"\s]*)(?<anchor>#[^)"\s]*)?(?=[)"])/g;

/** The parts of a text in fences and back quotes, which hold no links. */
const code = /(```[\s\S]*?^\s*```|`[^`\n]+`)/m;

/** The text with each relative address outside of code replaced. */
export function withLinks(text: string, replace: (path: string, anchor: string) => string): string {
  const parts = text.split(code);
  return parts
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(relativeLink, (_, path: string, anchor: string | undefined) =>
            replace(path, anchor ?? ""),
          ),
    )
    .join("");
}

/** Where a link of a document leads, from the root of the project. */
export const targetOf = (document: string, path: string): string =>
  path === "" ? document : posix.normalize(posix.join(posix.dirname(document), path)).replace(/\/$/, "");

/** Writes the copy into `folder`, replacing its contents. Throws if a link has no target. */
export function scenarioDocuments(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const documents = chapters.flatMap((chapter) => chapter.documents);
  for (const document of documents) {
    const page = pageOf(document);
    const to = (other: string) => posix.relative(posix.dirname(page), other).replace(/^(?!\.)/, "./");
    const text = withLinks(readFileSync(join(root, document), "utf8"), (path, anchor) => {
      if (path === "") return anchor;
      const target = targetOf(document, path);
      if (documents.includes(target)) return `${to(pageOf(target))}${anchor}`;
      if (target === "docs/decisions") return to(pageOf(decisionIndex));
      const source = join(root, target);
      if (!existsSync(source) || !statSync(source).isFile())
        throw new Error(`${document} links to ${path}, which is not a file`);
      const picture = /\.(?:webp|png|svg)$/.test(target);
      // A source is shown as text, whatever its language.
      const copy = picture ? target : `public/files/${target}.txt`;
      mkdirSync(dirname(join(folder, copy)), { recursive: true });
      cpSync(source, join(folder, copy));
      return picture ? to(target) : `/files/${target}.txt`;
    });
    write(join(folder, page), text);
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
