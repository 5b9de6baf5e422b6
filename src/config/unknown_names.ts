/** Variables of Postern's that no setting has. */
import type { ConfigFault } from "./config_error.ts";
import { describeSettings } from "./describe_settings.ts";
import { nearestName } from "./nearest_name.ts";

/** The command line's own: on which server its commands work, and what opens it. */
const variablesOfCommands: readonly string[] = ["POSTERN_REMOTE", "POSTERN_SERVER", "POSTERN_API_KEY_FILE"];

/** POSTERN_TEST_* belongs to the tests and is never a fault. */
export function unknownNames(env: Readonly<Record<string, string | undefined>>): ConfigFault[] {
  const descriptions = describeSettings();
  const known: readonly string[] = descriptions.flatMap(({ name, file }) => (file ? [name, file] : [name]));
  const faults: ConfigFault[] = [];
  for (const name of Object.keys(env)) {
    if (variablesOfCommands.includes(name)) continue;
    if (!name.startsWith("POSTERN_") || name.startsWith("POSTERN_TEST_") || known.includes(name)) continue;
    if (env[name] === undefined) continue;
    const plain = descriptions.find((each) => `${each.name}_FILE` === name);
    if (plain) {
      faults.push({ name, message: `only secrets can come from a file; give ${plain.name} itself` });
      continue;
    }
    faults.push({
      name,
      message: `there is no setting of this name; the nearest is ${nearestName(name, known)}`,
    });
  }
  return faults;
}
