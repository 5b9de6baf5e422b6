import type { OAuthApp } from "./definition.ts";
import { isOpenClient } from "./open_clients.ts";

type Named = Pick<OAuthApp, "name" | "client_id" | "provenance">;

/**
 * The host of the document that an open client is identified by, with its port where one is named: it is all
 * that is proven of the client. Undefined where nothing is, and for a registered app.
 */
export function verifiedHost({ client_id, provenance }: Omit<Named, "name">): string | undefined {
  return provenance === "metadata_document" ? URL.parse(client_id)?.host : undefined;
}

/**
 * What a page may call a client without further words: the name that an administrator gave it, or the host
 * that is proven; undefined where it only says so itself (PR-11).
 */
export function provenName(app: Named): string | undefined {
  return isOpenClient(app) ? verifiedHost(app) : app.name;
}
