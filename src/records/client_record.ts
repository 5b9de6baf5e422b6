import type { OAuthApp, OAuthAppSecret, Organization } from "./definition.ts";
import { stateOfApp } from "./liveness.ts";

/** A registered client with every fact that decides whether it may be used. */
export interface ClientRecord {
  readonly app: OAuthApp;
  readonly organization: Organization | undefined;
  /** Every secret, also revoked and expired ones. */
  readonly secrets: readonly OAuthAppSecret[];
}

/** An app that may act: active, not revoked, of an active organization (spec 2.2, 2.6). */
export function isUsable({ app, organization }: ClientRecord): boolean {
  return stateOfApp(app) === "active" && (organization === undefined || organization.active);
}
