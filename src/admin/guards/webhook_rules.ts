import { platformError } from "./platform_only.ts";
import { type Rules, refuseAny } from "./rules.ts";

export const webhookRules: Rules<"webhook_endpoints"> = {
  platform: { fields: ["internal"] },

  async onChange({ actorPermissions, errors }, current, changes) {
    // Private addresses were allowed for the one address that a platform administrator approved.
    const redirected = current.internal && changes.url !== undefined && !actorPermissions.platform;
    refuseAny([...errors, ...(redirected ? [platformError("url")] : [])]);
  },
};
