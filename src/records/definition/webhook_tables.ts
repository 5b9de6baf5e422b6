import { disabledReasons } from "../names/webhooks.ts";
import {
  bool,
  defaulting,
  id,
  long,
  oneOf,
  optional,
  reference,
  string,
  strings,
  text,
  time,
} from "./field.ts";
import { created_at, kept, type TableDefinition, table, updated_at } from "./table.ts";

export const webhookTables = {
  webhook_endpoints: table("URLs that receive events (docs/webhooks.md)", {
    id: id(),
    organization_id: optional(
      reference(
        "organizations",
        "organization whose events the endpoint receives; null for the events of the whole server",
        "cascade",
        {
          immutable: true,
        },
      ),
    ),
    url: string("URL that receives the events", {
      format: "endpoint_url",
      not_empty: true,
      max_length: 2048,
    }),
    description: optional(string("description", { plain: "line", max_length: 255 })),
    types: defaulting(
      strings("types of events to receive; if empty, all", {
        format: "event_type",
        distinct: true,
        most: { items: 100, characters: 64 },
      }),
      [],
    ),
    secrets_sealed: text("secrets that sign the events, encrypted", {
      sensitive: true,
      sealed_for: "webhook_secret",
    }),
    internal: defaulting(
      bool(
        "whether events may be sent over http and to the private IP addresses that POSTERN_OUTBOUND_ALLOW lists",
      ),
      false,
    ),
    include: defaulting(
      strings("additional content of webhook requests: with `record`, the record that the event is about", {
        format: "webhook_part",
        distinct: true,
        most: { items: 10, characters: 64 },
      }),
      [],
    ),
    active: defaulting(bool("whether events are sent to the endpoint"), true),
    position: defaulting(long("position up to which events were queued for the endpoint", kept), 0),
    failing_since: optional(
      time("when attempts began to fail; null if none failed since the last success", kept),
    ),
    disabled_reason: optional(
      oneOf(
        "why the server deactivated the endpoint. `gone`: it returned 410. `failing`: no attempt succeeded for three days. Otherwise null",
        disabledReasons,
        kept,
      ),
    ),
    created_at,
    updated_at,
    behind: defaulting(
      bool("whether the feed has events for the endpoint that are not queued yet", { internal: true }),
      false,
    ),
  }).with({
    owner: { organization: "organization_id", added_to: ["organization_id", "platform"] },
    indexes: { ordered: ["organization_id"] },
    counted_as: null,
  }),
} as const satisfies Record<string, TableDefinition>;
