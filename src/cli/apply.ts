import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { withContext } from "./environment.ts";
import { type Options, print, type Terminal } from "./terminal.ts";

/** `postern apply FILE`. */
export function applyCommand(program: Command, terminal: Terminal): void {
  program
    .command("apply")
    .description("bring the records to what a manifest says; a second run changes nothing")
    .argument("<file>", "JSON or YAML; - is standard input")
    .option("--dry-run", "say what would be done, and do nothing")
    .action(async (file: string, own: { dryRun?: boolean }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const text = file === "-" ? await terminal.readInput() : readFileSync(file, "utf8");
      const [{ applyManifest, ManifestError }, manifest] = await Promise.all([
        import("../admin/manifest.ts"),
        readManifest(text),
      ]);
      if (manifest.faults.length > 0) throw new ManifestError(manifest.faults);
      await withContext(terminal, options, async (context) => {
        const result = await applyManifest(manifest.value, context, { dryRun: own.dryRun === true });
        const { created, updated, unchanged, secrets } = result;
        const would = own.dryRun ? "would be " : "";
        terminal.err(
          created.length + updated.length === 0
            ? `Nothing to change: ${unchanged.length} unchanged.\n`
            : `${created.length} ${would}created, ${updated.length} ${would}updated, ${unchanged.length} unchanged.\n`,
        );
        if (Object.keys(secrets).length > 0) terminal.err("Keep the secrets: they are not shown again.\n");
        print(terminal, options, result, JSON.stringify(result, null, 2));
      });
    });
}

/** JSON is YAML too, and read as YAML a member that is given twice is noticed. No fault quotes the text. */
async function readManifest(text: string): Promise<{ value: unknown; faults: string[] }> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: "core" });
  const faults = [...document.errors, ...document.warnings].map(({ code, pos }) => {
    const { line, col } = lines.linePos(pos[0]);
    return `line ${line}, column ${col}: this is neither JSON nor YAML (${code.toLowerCase().replaceAll("_", " ")})`;
  });
  if (faults.length > 0) return { value: undefined, faults };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), faults };
  } catch {
    return { value: undefined, faults: ["the manifest: its aliases cannot be resolved"] };
  }
}
