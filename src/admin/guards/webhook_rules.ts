import { platformError } from "./platform_only.ts";
import { type Rules, refuseAny } from "./rules.ts";

export const webhookRules: Rules<"webhook_endpoints"> = {
  platform: { fields: ["internal", "include"] },

  async onChange({ actorPermissions, errors }, current, changes) {
    // A platform administrator approved these values for one address.
    const approved = current.internal || current.include.length > 0;
    const redirected = approved && changes.url !== undefined && !actorPermissions.platform;
    refuseAny([...errors, ...(redirected ? [platformError("url")] : [])]);
  },
};
