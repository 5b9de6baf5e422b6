import { text } from "../../records/definition/field.ts";
import { feedEventTypes } from "../../records/names/feed_events.ts";
import { removal } from "../changes/ready_made.ts";
import { resource } from "../manage/resource.ts";
import {
  createWebhookEndpoint,
  pingWebhook,
  replayInput,
  replayWebhook,
  resumeInput,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from "../records/webhooks.ts";
import { created, equal, searchAmong, typeFilter } from "./filters.ts";

export const events = resource("events", {
  filters: [typeFilter(feedEventTypes), ...equal("events", "subject_id"), searchAmong("events"), ...created],
  columns: ["position", "created_at", "type", "subject_kind", "subject_id", "organization_id", "data"],
  newest_first: true,
});

export const webhookEndpoints = resource("webhook_endpoints", {
  filters: [
    ...equal("webhook_endpoints", "organization_id", "active"),
    searchAmong("webhook_endpoints"),
    ...created,
  ],
  columns: ["id", "url", "organization_id", "active", "disabled_reason"],
  input: {
    update: resumeInput,
    replay: replayInput,
  },
  output: {
    secret: text("secret that signs the events; returned only in this response", { sensitive: true }),
  },
  create: createWebhookEndpoint,
  update: updateWebhookEndpoint,
  remove: removal("webhook_endpoints"),
  verbs: { ping: pingWebhook, replay: replayWebhook, rotate_secret: rotateWebhookSecret },
});
