/**
 * Stores the scopes that apps requested although they are not defined, one row per app in the table
 * `ephemera`.
 */
import type { EphemeralKind, ephemeraRules } from "../database/ephemera.ts";

const kind: EphemeralKind = "passed_over_scopes";

/** Maximum number of scopes that are stored per app; the newest ones are kept. */
const most = 10;
const longest = 100;

const keptFor = 7 * 86_400_000;

/** Pads the app's UUID to 32 bytes, the length of all keys in `ephemera`. */
const keyOf = (app_id: string) =>
  Buffer.concat([Buffer.from(app_id.replaceAll("-", ""), "hex"), Buffer.alloc(16)]);

export function passedOverScopeRules({ findEphemeral, storeEphemeral }: ReturnType<typeof ephemeraRules>) {
  async function passedOverScopes(app_id: string, now: Date): Promise<readonly string[]> {
    const kept = await findEphemeral(kind, keyOf(app_id), now);
    return kept === undefined ? [] : kept.split(" ");
  }

  return {
    passedOverScopes,
    /** A concurrent write may be lost; the next request then stores its scopes again. */
    async notePassedOver(app_id: string, scopes: readonly string[], now: Date): Promise<void> {
      const known = await passedOverScopes(app_id, now);
      const named = scopes.slice(0, most).map((name) => name.slice(0, longest));
      if (named.every((name) => known.includes(name))) return;
      const names = [...new Set([...named, ...known])].slice(0, most).join(" ");
      await storeEphemeral(kind, keyOf(app_id), names, new Date(now.getTime() + keptFor), now);
    },
  };
}
