/** What the server stores for its own work. */
import { statisticKinds } from "../names/statistics.ts";
import {
  defaulting,
  id,
  int,
  oneOf,
  optional,
  reference,
  signature,
  string,
  text,
  time,
  uuid,
} from "./field.ts";
import { created_at, ofServer, type TableDefinition, table } from "./table.ts";

export const serverTables = {
  statistics: table("event counts by the hour", {
    id: id(),
    kind: oneOf("kind of event", statisticKinds),
    subject: uuid("the app or organization; the nil UUID for the whole server"),
    hour: time("start of the hour"),
    count: int("number of events", { min: 1 }),
  }).with({ ...ofServer, unique: [["subject", "kind", "hour"]] }),

  ephemera: table(
    "short-lived data: values that were used once, responses that can be repeated, and counters of rate limits",
    {
      id: id(),
      kind: string("kind of entry"),
      key: signature("hash of the lookup key", { sensitive: true }),
      value: optional(text("sealed content", { sensitive: true })),
      count: defaulting(int("counter"), 0),
      expires_at: time("when the entry may be deleted"),
      created_at,
    },
  ).with({ ...ofServer, unique: [["kind", "key"]] }),

  client_documents: table("when the metadata document of a client was fetched", {
    id: id(),
    app_id: reference("oauth_apps", "the client", "cascade", { unique: true }),
    fetched_at: time("when the document was last fetched"),
    expires_at: time("when the document must be fetched again"),
    created_at,
  }).with({ ...ofServer, indexes: { few: ["app_id"] } }),
} as const satisfies Record<string, TableDefinition>;
