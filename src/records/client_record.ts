import type { OAuthApp, OAuthAppSecret, Organization } from "./definition.ts";
import { stateOfApp, stateSince } from "./liveness.ts";

/** A registered client with every fact that decides whether it may be used. */
export interface ClientRecord {
  readonly app: OAuthApp;
  readonly organization: Organization | undefined;
  /** Every secret, also revoked and expired ones. */
  readonly secrets: readonly OAuthAppSecret[];
}

/** Whether an app may act, and if not, why: its organization decides as well (spec 2.2, 2.6). */
export function stateOfClient({
  app,
  organization,
}: Pick<ClientRecord, "app" | "organization">): "active" | "inactive" | "revoked" | "organization_inactive" {
  const state = stateOfApp(app);
  return state === "active" && organization?.active === false ? "organization_inactive" : state;
}

/** An app that may act. */
export function isUsable(client: Pick<ClientRecord, "app" | "organization">): boolean {
  return stateOfClient(client) === "active";
}

/** An app that may act, and did not end since something of it was made (design 6.18). */
export function isUsableSince({ app, organization }: ClientRecord, made_at: Date): boolean {
  if (stateSince(app, made_at) !== "active") return false;
  return organization === undefined || stateSince(organization, made_at) === "active";
}
