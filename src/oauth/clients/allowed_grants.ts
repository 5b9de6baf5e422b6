import type { OAuthApp } from "../../records/definition.ts";

/** Whether the app's `allowed_grants` hold this word (spec 2.6). */
export function mayUse(app: OAuthApp, allowed_as: string): boolean {
  return app.allowed_grants.includes(allowed_as);
}
