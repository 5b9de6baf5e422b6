import { resourceOf } from "../admin/resources/resources.ts";
import {
  type EventShape,
  feedEventTypes,
  longestWait,
  shapeOfEvent,
  subjectTypes,
} from "../records/names/feed_events.ts";
import { schemaNames } from "./names.ts";
import { type Json, type JsonSchema, type Parameter, schemaRef } from "./operation.ts";

const query = (name: string, description: string, schema: JsonSchema): Parameter => ({
  ...{ name, in: "query", description, schema },
});

const typePattern = feedEventTypes.map((type) => type.replace(".", "\\.")).join("|");

export const feedParameters: readonly Parameter[] = [
  query(
    "after",
    `Return the feed: the events after this cursor or position, oldest first, at most \`limit\` (default 100). With \`latest\`, return no events, only the newest cursor`,
    { type: "string", pattern: "^(?:latest|[0-9]{1,15}(?:\\.[0-9a-f]{8})?)$" },
  ),
  query("types", "Types of events to return, separated by commas. Default: all. Only with `after`", {
    type: "string",
    pattern: `^(?:${typePattern})(?:,(?:${typePattern}))*$`,
  }),
  query(
    "wait",
    "Maximum number of seconds to wait for an event if there is none yet. Default: 0. Only with `after`",
    {
      type: "integer",
      minimum: 0,
      maximum: longestWait,
    },
  ),
];

export const feedDescription = " With `after`, returns the feed instead: events in order of position.";

function dataSchema({ data, optional = [] }: EventShape): JsonSchema {
  const properties = Object.entries(data).map(([name, member]): [string, JsonSchema] => {
    if (member === "texts") return [name, { type: "array", items: { type: "string" } }];
    if (member === "id") return [name, { type: "string", format: "uuid" }];
    return [name, member === "text" ? { type: "string" } : { type: "string", enum: member }];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: Object.keys(data).filter((name) => !optional.includes(name)),
  };
}

function eventSchema(type: (typeof feedEventTypes)[number]): JsonSchema {
  const shape = shapeOfEvent(type);
  return {
    type: "object",
    description: shape.means,
    required: ["id", "type", "subject_kind", "subject_id", "organization_id", "created_at", "data"],
    properties: {
      id: {
        type: "string",
        format: "uuid",
        description: "ID of the event, the same in each delivery attempt",
      },
      position: { type: ["integer", "null"], description: "Position in the feed" },
      type: { const: type },
      subject_kind: { const: shape.about },
      subject_id: { type: "string", format: "uuid" },
      organization_id: { type: ["string", "null"], format: "uuid" },
      actor_kind: { type: "string" },
      created_at: { type: "string", format: "date-time" },
      data: dataSchema(shape),
      record: {
        ...schemaRef(schemaNames(resourceOf(subjectTypes[shape.about])).record),
        description:
          "The record that the event is about, limited to what the endpoint's organization may read; absent unless the endpoint's `include` contains `record`",
      },
      record_omitted: {
        const: "too_large",
        description: "Present if `record` was omitted because the body would exceed 20 kB",
      },
    },
  };
}

export function eventWebhooks(): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    feedEventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
          summary: shapeOfEvent(type).means,
          tags: ["events"],
          requestBody: { required: true, content: { "application/json": { schema: eventSchema(type) } } },
          responses: { "2XX": { description: "The event was received" } },
        },
      },
    ]),
  );
}
