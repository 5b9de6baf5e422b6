import { type Checked, checkChange, checkNew } from "../records/check.ts";
import type { NewRow, OAuthConsent } from "../records/definition.ts";
import type { AdminContext } from "./actor.ts";
import type { Input } from "./faults.ts";

/** A consent that is given on a user's behalf, checked: in force from `granted_at`, which is now when absent. */
export function draftConsent({ store, now }: AdminContext, input: Input): Checked<NewRow<"oauth_consents">> {
  const at = now();
  return checkNew(
    "oauth_consents",
    { granted_at: at, ...input },
    { ...(input.id === undefined ? { id: store.newId(at) } : {}), created_at: at, updated_at: at },
  );
}

/** A change of a consent, checked: one that was withdrawn begins anew; whose it is and for which app does not change. */
export function draftConsentChange(
  { now }: Pick<AdminContext, "now">,
  current: OAuthConsent,
  input: Input,
): Checked<Partial<OAuthConsent>> {
  const { faults, record } = checkChange("oauth_consents", current, input);
  const moved = (["user_id", "app_id"] as const).filter(
    (name) => record[name] !== undefined && record[name] !== current[name],
  );
  const inForce = current.granted && !current.revoked;
  const renewed = {
    granted: true,
    revoked: false,
    revoked_at: null,
    revoked_reason: null,
    granted_at: now(),
  };
  return {
    faults: [...faults, ...moved.map((name) => ({ path: `/${name}`, message: "cannot change" }))],
    record: inForce ? record : { ...renewed, ...record },
  };
}
