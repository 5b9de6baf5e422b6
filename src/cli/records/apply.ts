import type { Command } from "commander";
import type { ManifestResult } from "../../admin/manifest/apply_manifest.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { withProgress } from "../core/progress.ts";
import { type Options, print, shown, type Terminal, visible } from "../core/terminal.ts";
import { readNamedFile } from "../core/typed_text.ts";
import { withServer } from "../server/with_server.ts";

export function applyCommand(program: Command, terminal: Terminal): void {
  program
    .command("apply")
    .description("make the records match a manifest; a second run changes nothing")
    .argument("<file>", "JSON or YAML; - for standard input")
    .option("--dry-run", "print the changes, field by field, without making them")
    .option("--prune", "delete records that an earlier apply created and that are no longer in the file")
    .action(async (file: string, own: { dryRun?: boolean; prune?: boolean }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const text = file === "-" ? await terminal.readInput() : readNamedFile(file);
      const [{ invalidManifest }, manifest] = await Promise.all([
        import("../../admin/manifest/apply_manifest.ts"),
        readManifest(text),
      ]);
      if (manifest.errors.length > 0) throw invalidManifest(manifest.errors);
      const [dryRun, prune] = [own.dryRun === true, own.prune === true];
      const body = {
        manifest: manifest.value,
        ...(dryRun && { dry_run: true }),
        ...(prune && { prune: true }),
      };
      const result = await withProgress(terminal, (say) =>
        withServer(
          terminal,
          options,
          (server) => server.call<ManifestResult>("POST", ["apply"], { body, holds: "secrets", keyed: true }),
          {
            onProgress: (step, done, all) =>
              say(`${steps[step]}: ${all === undefined ? done : `${done} of ${all}`}`),
          },
        ),
      );
      terminal.err(summaryOf(result, dryRun));
      if (Object.keys(result.secrets).length > 0)
        terminal.err("Copy the secrets now: they are not shown again.\n");
      print(terminal, options, result, dryRun ? differenceText(result) : JSON.stringify(result, null, 2));
    });
}

const steps = { read: "Records read", compared: "Records compared", written: "Records written" } as const;

function summaryOf({ created, updated, unchanged, removed = [] }: ManifestResult, dryRun: boolean): string {
  if (created.length + updated.length + removed.length === 0) {
    return `Nothing to change: ${unchanged.length} unchanged.\n`;
  }
  const would = dryRun ? "would be " : "";
  const gone = removed.length === 0 ? "" : `${removed.length} ${would}removed, `;
  return `${created.length} ${would}created, ${updated.length} ${would}updated, ${gone}${unchanged.length} unchanged.\n`;
}

const signs = { create: "+", update: "~", remove: "-" } as const;

/** The line of a changed record looks like `~ app web-app: name "Web" → "Website", secrets (not shown)`. */
function differenceText({ differences = [] }: ManifestResult): string {
  const lines = differences.map(({ change, record, fields, hidden }) => {
    const line = `${signs[change]} ${visible(record)}`;
    if (change !== "update") return line;
    const changes = Object.entries(fields).map(
      ([name, { before, after }]) => `${name} ${quoted(before)} → ${quoted(after)}`,
    );
    return `${line}: ${[...changes, ...hidden.map((name) => `${name} (not shown)`)].join(", ")}`;
  });
  return lines.join("\n") || "no difference";
}

function quoted(value: unknown): string {
  return visible(value === null || value === undefined ? shown(value) : JSON.stringify(value));
}

/** JSON is also YAML, and the YAML parser detects duplicate keys. Errors never quote the file. */
async function readManifest(text: string): Promise<{ value: unknown; errors: readonly FieldError[] }> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: "core" });
  const errors = [...document.errors, ...document.warnings].map(({ code, pos }) => {
    const { line, col } = lines.linePos(pos[0]);
    const reason = code.toLowerCase().replaceAll("_", " ");
    return fieldError(`line ${line}, column ${col}`, "not_manifest", { reason });
  });
  if (errors.length > 0) return { value: undefined, errors };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), errors };
  } catch {
    return { value: undefined, errors: [fieldError("the manifest", "unresolved_aliases")] };
  }
}
