/**
 * Undefined scopes that an app requested, in the table `ephemera`: a row for each app, so that its checks can
 * name them.
 */
import type { EphemeralKind, ephemeraRules } from "../database/ephemera.ts";

const kind: EphemeralKind = "passed_over_scopes";

/** The newest names of an app that are kept, and characters of each. */
const most = 10;
const longest = 100;

/** How long a name is stored after its first request, milliseconds. */
const keptFor = 7 * 86_400_000;

/** 32 bytes, as every key has. */
const keyOf = (app_id: string) =>
  Buffer.concat([Buffer.from(app_id.replaceAll("-", ""), "hex"), Buffer.alloc(16)]);

export function passedOverScopeRules({ findEphemeral, storeEphemeral }: ReturnType<typeof ephemeraRules>) {
  async function passedOverScopes(app_id: string, now: Date): Promise<readonly string[]> {
    const kept = await findEphemeral(kind, keyOf(app_id), now);
    return kept === undefined ? [] : kept.split(" ");
  }

  return {
    /** The app's requests of the last days, the newest first. */
    passedOverScopes,
    /** Writes where a name is new. Of two requests at once one may win: the other's name comes again. */
    async notePassedOver(app_id: string, scopes: readonly string[], now: Date): Promise<void> {
      const known = await passedOverScopes(app_id, now);
      const named = scopes.slice(0, most).map((name) => name.slice(0, longest));
      if (named.every((name) => known.includes(name))) return;
      const names = [...new Set([...named, ...known])].slice(0, most).join(" ");
      await storeEphemeral(kind, keyOf(app_id), names, new Date(now.getTime() + keptFor), now);
    },
  };
}
