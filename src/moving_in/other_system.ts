import { isObject } from "../records/names/json_shapes.ts";
import { allSources } from "./all_sources.ts";
import type { ReadExport } from "./core/collecting.ts";
import type { Found } from "./core/import_fault.ts";
import type { Source } from "./core/source.ts";

const mostInspected = 1000;

/**
 * The error for an export from a system other than the named one. The message quotes nothing from the file.
 */
export class OtherSystem extends Error {
  readonly system: string;
  readonly likely: readonly string[];

  constructor(system: string, likely: readonly string[]) {
    const hint = likely.length === 0 ? "" : `, but like one of ${likely.join(" or ")}`;
    super(`this file does not look like an export of ${system}${hint}`);
    this.name = "OtherSystem";
    this.system = system;
    this.likely = likely;
  }
}

/** Throws `OtherSystem` if nothing was read from the export and its fields are not typical of the source. */
export async function requireOwnExport(
  source: Source,
  { records, people }: ReadExport,
  each: (take: (found: Found) => unknown) => Promise<void>,
): Promise<void> {
  if (people > 0 || Object.values(records).some((entries) => entries.length > 0)) return;
  const names = new Set<string>();
  let inspected = 0;
  await each((found) => {
    inspected += 1;
    if (inspected <= mostInspected) for (const name of namesIn(found.value())) names.add(name);
  });
  const fitting = allSources.filter(({ signs }) => signs.some((name) => names.has(name)));
  // CSV has no typical fields, so the export is another system's only if one of its fields is typical of that
  // system.
  const isOwn = source.signs.length === 0 ? fitting.length === 0 : fitting.includes(source);
  if (!isOwn)
    throw new OtherSystem(
      source.name,
      fitting.map(({ name }) => name),
    );
}

function namesIn(value: unknown): string[] {
  if (!isObject(value)) return [];
  const firsts = Object.values(value).map((each) => (Array.isArray(each) ? each[0] : undefined));
  return [value, ...firsts.filter(isObject)].flatMap((each) => Object.keys(each));
}
