import type { DeliveryKindName } from "../../records/names/deliveries.ts";
import type { DeliveryKind } from "./delivery_kind.ts";
import { logoutToken } from "./logout_token.ts";
import { securityEventToken } from "./security_event_token.ts";
import { webhook } from "./webhook.ts";

export const allDeliveryKinds: Readonly<Record<DeliveryKindName, DeliveryKind>> = {
  logout_token: logoutToken,
  security_event_token: securityEventToken,
  webhook,
};
