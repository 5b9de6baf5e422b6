/** Variables of Postern's that no setting has. */
import type { SettingError } from "./config_error.ts";
import { describeSettings } from "./describe_settings.ts";

/** The command line's own: on which server its commands work, and what opens it. */
const variablesOfCommands: readonly string[] = ["POSTERN_REMOTE", "POSTERN_SERVER", "POSTERN_API_KEY_FILE"];

/** POSTERN_TEST_* belongs to the tests and is never a fault. */
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
      errors.push({ name, message: `only secrets can come from a file; give ${plain.name} itself` });
      continue;
    }
    errors.push({
      name,
      message: `there is no setting of this name; the nearest is ${nearestName(name, known)}`,
    });
  }
  return errors;
}

/** The known name that is written most like this one: what somebody who mistyped it probably meant. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  return known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))[0];
}

/** How many characters must be added, dropped or exchanged to turn one word into the other (Levenshtein). */
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
