/**
 * Fills a database of Postern, given by its settings, with apps, sessions and audit events. A separate
 * process: PosternFillRecordsInput on standard input.
 */
import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { type Config, readConfig } from "../../../src/config.ts";
import type { NewRow, TableName } from "../../../src/records/definition/definition.ts";
import { openEnvironment } from "../../../src/server/environment.ts";
import { rowWriter, writingWords } from "./row_writer.ts";

export interface PosternFillRecordsInput {
  /** Number of records of each kind. */
  readonly records: number;
  /** The app that is copied and that owns the rows. */
  readonly client_id: string;
}

const rowsAtOnce = 10_000;
/** The records were created at regular intervals in the preceding half year. */
const span_ms = 180 * 86_400_000;

const goods =
  "Apples Bicycles Candles Desks Engines Flowers Garlands Hammers Inks Jackets Kettles Lamps Mirrors Needles Oars Pencils";
const eventTypes = ["sign_in", "sign_in", "sign_in", "user.updated", "app.created", "token.revoked"];

async function fill({ records, client_id }: PosternFillRecordsInput, config: Config): Promise<void> {
  const started = Date.now();
  const environment = await openEnvironment(config, { now: () => new Date(started) });
  const { store } = environment;
  const momentOf = (index: number) => new Date(started - span_ms + Math.floor((index * span_ms) / records));
  const app = await store.find("oauth_apps", { client_id });
  if (app === undefined) throw new Error(`there is no client ${client_id}`);
  const { owner_id: user_id } = app;
  const names = goods.split(" ");

  async function write<T extends TableName>(table: T, row: (index: number) => NewRow<T>): Promise<void> {
    const writeRows = rowWriter(store, table);
    for (let first = 0; first < records; first += rowsAtOnce) {
      const count = Math.min(rowsAtOnce, records - first);
      const rows = Array.from({ length: count }, (_, offset) => row(first + offset));
      await writeRows(rows as (NewRow<T> & { readonly id: string })[]);
    }
  }

  try {
    await writingWords(store, "oauth_apps", () =>
      write("oauth_apps", (index) => {
        const created_at = momentOf(index);
        const name = `${names[index % names.length]} of ${names[Math.floor(index / 16) % names.length]} ${index}`;
        const id = store.newId(created_at);
        return { ...app, id, client_id: `shop-${index}`, name, created_at, updated_at: created_at };
      }),
    );
    await write("sessions", (index): NewRow<"sessions"> => {
      const created_at = momentOf(index);
      return {
        id: store.newId(created_at),
        id_signature: randomBytes(32),
        user_id,
        authenticated_at: created_at,
        acr: "1",
        methods: [],
        satisfied_request: null,
        last_seen_at: created_at,
        expires_at: new Date(started + span_ms),
        ended_at: null,
        client_ip: `192.0.2.${index % 250}`,
        user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        created_at,
      };
    });
    await write("audit_events", (index): NewRow<"audit_events"> => {
      const created_at = momentOf(index);
      return {
        id: store.newId(created_at),
        type: eventTypes[index % eventTypes.length] ?? "sign_in",
        outcome: "success",
        actor_kind: "user",
        actor_id: user_id,
        organization_id: null,
        target_table: "oauth_apps",
        target_id: app.id,
        details: null,
        client_ip: "192.0.2.1",
        user_agent: null,
        request_id: `request-${index}`,
        created_at,
      };
    });
  } finally {
    await environment.close();
  }
}

await fill(JSON.parse(await text(process.stdin)) as PosternFillRecordsInput, readConfig(process.env));
