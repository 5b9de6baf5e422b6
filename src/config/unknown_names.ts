import type { SettingError } from "./config_error.ts";
import { describeSettings } from "./describe_settings.ts";

const variablesOfCommands: readonly string[] = [
  ...["POSTERN_REMOTE", "POSTERN_SERVER", "POSTERN_API_KEY_FILE", "POSTERN_WEBHOOK_SECRET"],
];

/**
 * Returns an error for each unknown variable whose name begins with POSTERN_. POSTERN_TEST_* is reserved for
 * tests.
 */
export function unknownNames(env: Readonly<Record<string, string | undefined>>): SettingError[] {
  const descriptions = describeSettings();
  const known: readonly string[] = descriptions.flatMap(({ name, file }) => (file ? [name, file] : [name]));
  const errors: SettingError[] = [];
  for (const name of Object.keys(env)) {
    if (variablesOfCommands.includes(name)) continue;
    if (!name.startsWith("POSTERN_") || name.startsWith("POSTERN_TEST_") || known.includes(name)) continue;
    if (env[name] === undefined) continue;
    const plain = descriptions.find((each) => `${each.name}_FILE` === name);
    if (plain) {
      errors.push({ name, message: `only secrets can be read from a file; set ${plain.name} itself` });
      continue;
    }
    errors.push({
      name,
      message: `there is no such setting; did you mean ${nearestName(name, known)}?`,
    });
  }
  return errors;
}

function nearestName(name: string, known: readonly string[]): string | undefined {
  return known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))[0];
}

/** Returns the number of insertions, deletions and substitutions between two words (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const kept = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(kept, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
