/**
 * While an administrator uses the playground of an app, its callback counts as a redirect URI of the app
 * . The app's record therefore need not change.
 */
import { sha256 } from "../../crypto/digest.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import type { AuthorizationServer } from "../core/server.ts";

type Server = Pick<AuthorizationServer, "store" | "issuer" | "now">;

const kind = "trial_address";
const keyOf = (app_id: string): Buffer => sha256(JSON.stringify([kind, app_id]));

export function playgroundCallback(issuer: string, app_id: string): string {
  return `${issuer}/console/apps/${app_id}/try/callback`;
}

export async function openPlaygroundCallback(server: Server, app_id: string, ends_at: Date): Promise<void> {
  await server.store.storeEphemeral(kind, keyOf(app_id), "open", ends_at, server.now());
}

export async function closePlaygroundCallback({ store }: Server, app_id: string): Promise<void> {
  await store.forgetEphemeral(kind, keyOf(app_id));
}

export async function isOpenPlaygroundCallback(
  redirect_uri: string,
  { id }: Pick<OAuthApp, "id">,
  { store, issuer, now }: Server,
): Promise<boolean> {
  if (redirect_uri !== playgroundCallback(issuer, id)) return false;
  return (await store.findEphemeral(kind, keyOf(id), now())) !== undefined;
}
