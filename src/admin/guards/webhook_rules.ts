import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import type { Row } from "../../records/definition/definition.ts";
import type { Permission } from "../../records/definition/permissions.ts";
import { subjectTypes } from "../../records/names/feed_events.ts";
import { recordLock } from "../../records/names/lock_names.ts";
import { mostEndpoints } from "../../records/names/webhooks.ts";
import { hasPermission, requireScope } from "../access/access.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { platformError } from "./platform_only.ts";
import { credentialErrors, forbidden, type Rules, refuseAny, refuseInvalid } from "./rules.ts";

type Sending = Pick<Row<"webhook_endpoints">, "organization_id" | "include">;

const deciding = ["url", "types", "include", "internal"] as const;

const recordReads = Object.values(subjectTypes).map((type): Permission => `${type}:read`);

/** Throws 403 `forbidden` unless the credential may read everything that the webhook sends (EV-5). */
export function requireReading(
  actorPermissions: EffectivePermissions,
  { organization_id, include }: Sending,
): void {
  const owner = { user_id: null, organization_ids: organization_id === null ? [] : [organization_id] };
  const needed: readonly Permission[] = ["events:read", ...(include.length > 0 ? recordReads : [])];
  for (const permission of needed) {
    requireScope(actorPermissions, permission);
    if (!hasPermission(actorPermissions, permission, owner))
      throw forbidden(detail("permission_needed", { permission }));
  }
}

export const webhookRules: Rules<"webhook_endpoints"> = {
  platform: { fields: ["internal", "include"] },

  async onNew({ tx, actorPermissions, errors }, { organization_id = null, include = [], internal = false }) {
    refuseAny([...errors, ...credentialErrors(actorPermissions, { internal })]);
    requireReading(actorPermissions, { organization_id, include });
    await tx.lock(recordLock("webhook_endpoints", `of ${organization_id ?? "the server"}`));
    const others = await tx.list("webhook_endpoints", { organization_id }, { limit: mostEndpoints });
    if (others.length < mostEndpoints) return;
    refuseInvalid("webhook_endpoints", [fieldError("/url", "too_many_endpoints", { max: mostEndpoints })]);
  },

  onChange({ actorPermissions, errors }, current, changes) {
    // A platform administrator approved `internal` and `include` for the current URL only.
    const approved = current.internal || current.include.length > 0;
    const redirected = approved && changes.url !== undefined && !actorPermissions.platform;
    refuseAny([
      ...errors,
      ...(redirected ? [platformError("url")] : []),
      ...credentialErrors(actorPermissions, {
        internal: changes.internal === true,
        url: current.internal && changes.url !== undefined,
      }),
    ]);
    if (changes.active === true || deciding.some((name) => changes[name] !== undefined))
      requireReading(actorPermissions, { ...current, ...changes });
  },
};
