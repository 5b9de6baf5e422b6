import { profileMisfits } from "../../admin/records/profile_misfits.ts";
import { risksOf } from "../../admin/reports/app_risks.ts";
import type { AppState } from "../../admin/reports/app_state.ts";
import type { AuthorizationServer } from "../../oauth/core/server.ts";
import { demandsMade, demandsOn } from "../../records/names/profiles.ts";
import type { AppHead } from "./app_tabs.view.ts";
import type { ChecksPage } from "./checks.page.ts";

type Checks = Pick<ChecksPage, "risks" | "secrets_seen" | "demands" | "misfits">;

/** Returns the app's risks, what the security profiles require of it, and its violations of them. */
export function checksOf({ app, secrets, ...around }: AppState, server: AuthorizationServer): Checks {
  const { issuer, settings: switches } = server;
  return {
    risks: risksOf(app, secrets, { ...around, issuer, now: server.now(), switches }),
    secrets_seen: secrets !== undefined,
    demands: demandsMade(demandsOn(app, switches)),
    misfits: profileMisfits(app, switches),
  };
}

/** Returns what the heading of every page of an app needs. */
export function appHead(state: AppState, server: AuthorizationServer): AppHead {
  const { id, name } = state.app;
  return { id, name, to_mend: checksOf(state, server).risks.filter(({ level }) => level !== "hint").length };
}
