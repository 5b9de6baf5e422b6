/** The readiness check that `/readyz` reports (design 6.23). */

import type { AppOptions } from "../app.ts";
import { UnavailableError } from "../errors.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import type { Commits, Housekeeping } from "../storage/ports.ts";

/**
 * Returns a function that checks that the database is writable and fully migrated, and contains an RS256
 * signing key.
 */
export function readinessOf(
  store: Commits & Housekeeping,
  keys: AuthorizationServer["keys"],
  now: () => Date,
): AppOptions["ready"] {
  return async () => {
    // `unheard`: the process receives no change notices from the database, so it works without caches, slower
    // but ready.
    const notices = store.isCurrent() ? "ok" : "unheard";
    let unapplied: readonly unknown[];
    try {
      await store.proveWritable();
      unapplied = (await store.migrationStatus()).filter(({ applied }) => !applied);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      return { ready: false, components: { database: error.kind, notices } };
    }
    if (unapplied.length > 0) {
      return { ready: false, components: { database: "ok", notices, migrations: "missing" } };
    }
    const signs = await keys().then(
      (ring) => hasSigningKey(ring, now()),
      () => false,
    );
    return {
      ready: signs,
      components: { database: "ok", notices, migrations: "ok", signing_key: signs ? "ok" : "missing" },
    };
  };
}

function hasSigningKey(ring: Awaited<ReturnType<AuthorizationServer["keys"]>>, now: Date): boolean {
  try {
    return ring.signingKey(now) !== undefined;
  } catch {
    return false;
  }
}
