import type { Reference } from "../../admin/reports/labels.ts";
import type { TableName } from "../../records/definition/definition.ts";
import type { ResourceType } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { type DeliveryKindName, deliveryTables } from "../../records/names/deliveries.ts";
import { feedEventTypes, type SubjectKind, subjectTables } from "../../records/names/feed_events.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { stateOfEndpoint } from "../../records/names/liveness.ts";
import { webhookParts } from "../../records/names/webhooks.ts";
import type { Presentation } from "./presentation.http.ts";
import { by, referenceTo } from "./presentation_parts.http.ts";

const actorTables: Readonly<Record<string, TableName>> = {
  user: "users",
  service_account: "service_accounts",
  api_key: "api_keys",
};

function targetOf({ target_table, target_id, details }: PublicView): Reference | undefined {
  const reference = referenceTo(target_table, target_id);
  if (reference === undefined || !isObject(details)) return reference;
  const { name, email } = [details.after, details.before].find(isObject) ?? details;
  const stated = [name, email].find((text) => typeof text === "string");
  return { ...reference, stated };
}

export const activityPresentations = {
  audit_events: {
    columns: ["outcome", "actor_id", "target_id", "client_ip", "created_at"],
    brief: ["actor_id", "created_at"],
    presets: {
      sign_ins: { type: "sign_in" },
      failed_sign_ins: { type: "sign_in", outcome: "failure" },
      changes: { group: "changes" },
      failures: { outcome: "failure" },
      tokens: { type: "token_issued" },
    },
    leads: {
      actor_id: ({ actor_kind, actor_id }) => {
        if (actor_kind === "client" && typeof actor_id === "string")
          return { table: "oauth_apps", id: actor_id, by: "client_id" };
        const table =
          typeof actor_kind === "string" && Object.hasOwn(actorTables, actor_kind)
            ? actorTables[actor_kind]
            : undefined;
        return table === undefined ? undefined : referenceTo(table, actor_id);
      },
      target_id: targetOf,
      organization_id: ({ organization_id }) => referenceTo("organizations", organization_id),
    },
    named_by: ["type"],
    related: [],
  },
  deliveries: {
    by_others: true,
    needs_feature: ["events", "logout_notices", "ssf"],
    columns: ["target_id", "state", "attempt", "last_status", "last_fault", "created_at"],
    brief: ["state", "created_at"],
    leads: {
      target_id: ({ kind, target_id }) =>
        referenceTo(deliveryTables[kind as DeliveryKindName].target, target_id),
      subject_key: ({ subject_key }) => referenceTo("users", subject_key),
      event_id: ({ kind, event_id }) => referenceTo(deliveryTables[kind as DeliveryKindName].event, event_id),
    },
    named_by: ["kind", "event_id"],
    called: ({ kind, event_id }, { webhooks }) =>
      event_id === null && deliveryTables[kind as DeliveryKindName].target === "webhook_endpoints"
        ? webhooks.testEvent
        : undefined,
    related: [],
  },
  events: {
    by_others: true,
    needs_feature: ["events", "ssf"],
    columns: ["subject_id", "organization_id", "position", "created_at"],
    brief: ["subject_id", "created_at"],
    leads: {
      subject_id: ({ subject_kind, subject_id }) =>
        referenceTo(subjectTables[subject_kind as SubjectKind], subject_id),
      organization_id: ({ organization_id }) => referenceTo("organizations", organization_id),
    },
    named_by: ["type"],
    related: [],
  },
  webhook_endpoints: {
    needs_feature: ["events"],
    columns: ["description", "organization_id", "failing_since", "created_at"],
    state: by(stateOfEndpoint),
    help: { active: "endpoint_active" },
    platform_help: { organization_id: "endpoint_organization_id" },
    offered: { types: () => feedEventTypes, include: () => webhookParts },
    brief: ["description", "created_at"],
    named_by: ["url"],
    related: [{ resourceType: "deliveries", by: "target_id", near_top: true }],
  },
} satisfies { readonly [R in ResourceType]?: Presentation };
