/** The order in which the documents are read, by their paths from the root of the project. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A heading of the navigation with its documents. */
export interface Chapter {
  readonly title: string;
  readonly documents: readonly string[];
}

const decisions = globSync("docs/decisions/*.md", { cwd: root }).toSorted();

export const chapters: readonly Chapter[] = [
  {
    title: "Quickstarts",
    documents: [
      "README.md",
      "docs/quickstart.md",
      "docs/installing.md",
      "examples/express/README.md",
      "examples/fastify/README.md",
      "examples/fastapi/README.md",
      "examples/go/README.md",
      "examples/bff/README.md",
      "examples/browser/README.md",
      "examples/b2b/README.md",
      "examples/people/README.md",
      "docs/mcp.md",
      "examples/mcp-server/README.md",
      "docs/fapi2.md",
      "examples/tested/README.md",
    ],
  },
  { title: "Choosing", documents: ["docs/comparison.md", "docs/not-included.md"] },
  {
    title: "Guides",
    documents: [
      "docs/operations.md",
      "docs/moving-in.md",
      "docs/operations/settings.md",
      "docs/operations/running.md",
      "docs/operations/monitoring.md",
      "docs/operations/backups.md",
      "docs/operations/upgrading.md",
      "docs/operations/postgresql.md",
      "docs/operations/keys.md",
      "docs/operations/proxies.md",
      "docs/operations/mail.md",
      "docs/operations/branding.md",
      "docs/operations/command-line.md",
      "docs/operations/config-as-code.md",
      "docs/importing.md",
      "docs/operations/console.md",
      "docs/operations/embedding.md",
      "docs/organizations.md",
      "docs/attributes.md",
      "docs/registration.md",
      "docs/providers.md",
      "docs/passkeys.md",
      "docs/second-factors.md",
      "docs/step-up.md",
      "docs/back-channel-logout.md",
      "docs/events.md",
      "docs/webhooks.md",
      "docs/shared-signals.md",
      "docs/account.md",
      "docs/signers.md",
      "docs/scaling.md",
      "docs/distributed.md",
      "docs/high-availability.md",
    ],
  },
  {
    title: "Reference",
    documents: [
      "docs/api.md",
      "packages/client/README.md",
      "packages/test/README.md",
      "docs/permissions.md",
      "docs/security.md",
      "SECURITY.md",
      "docs/specification.md",
      "docs/glossary.md",
      "CHANGELOG.md",
    ],
  },
  {
    title: "How it is made",
    documents: [
      "docs/architecture.md",
      "docs/design.md",
      "CONTRIBUTING.md",
      "docs/testing.md",
      "docs/releasing.md",
      "docs/dependencies.md",
      "docs/performance.md",
    ],
  },
  { title: "Decisions", documents: decisions },
];

/** The index of the decisions, to which links to their folder lead. */
export const decisionIndex = "docs/decisions/README.md";

/** Pages with a name of their own: `SECURITY.md` and `docs/security.md` are one file where case is ignored. */
const renamed: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "SECURITY.md": "reporting.md",
  [decisionIndex]: "decisions/index.md",
};

/** The page of a document on the site, where those of `docs/` are at the top. */
export const pageOf = (document: string): string =>
  renamed[document] ?? document.replace(/^docs\//, "").replace(/(?<=\w)\/README\.md$/, ".md");

/** The first heading of a document. */
export function titleOf(document: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, document), "utf8")) ?? [];
  if (title === undefined) throw new Error(`${document} has no first heading`);
  return title.replaceAll("`", "");
}

/** The version of the documents: the newest section of the changelog. */
export function versionOfDocuments(): string {
  const [, version] = /^## (.+)$/m.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8")) ?? [];
  if (version === undefined) throw new Error("CHANGELOG.md has no section");
  return version;
}
