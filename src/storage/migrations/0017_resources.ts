import type { OAuthApp } from "../../records/definition/definition.ts";
import type { Kind } from "../../records/definition/field.ts";
import { resourcesInMetadata } from "../../records/formats/metadata.ts";
import { identifierKey } from "../../records/names/resource_identifiers.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";
import { firstId, idMaker } from "../database/ids.ts";
import { wordKeeper } from "../database/search_words.ts";

export const resourceRecords = (t: Readonly<Record<Kind, string>>, database: Dialect["name"]): string => `
CREATE TABLE resources (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  identifier ${t.string} NOT NULL CONSTRAINT resources_identifier_key UNIQUE,
  name ${t.string} NOT NULL,
  description ${t.string},
  organization_id ${t.uuid} REFERENCES organizations (id) ON DELETE CASCADE,
  scopes ${t.json} NOT NULL DEFAULT '{}',
  default_scopes ${t.json} NOT NULL DEFAULT '[]',
  who_may_ask ${t.string} NOT NULL DEFAULT 'registered',
  app_ids ${t.json} NOT NULL DEFAULT '[]',
  access_token_signing_alg ${t.string},
  dpop_bound_access_tokens_required ${t.bool} NOT NULL DEFAULT FALSE,
  trailing_slash_alias ${t.bool} NOT NULL DEFAULT FALSE,
  active ${t.bool} NOT NULL DEFAULT TRUE,
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  identifier_key ${t.string} CONSTRAINT resources_identifier_key_key UNIQUE
);
CREATE INDEX resources_organization_id ON resources (organization_id, id);
CREATE INDEX resources_who_may_ask ON resources (who_may_ask) WHERE active;
CREATE TABLE resources_words (
  word ${t.string}${database === "postgres" ? ' COLLATE "C"' : ""} NOT NULL,
  record_id ${t.uuid} NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
  PRIMARY KEY (word, record_id)
)${database === "sqlite" ? " WITHOUT ROWID" : ""};
CREATE INDEX resources_words_record_id ON resources_words (record_id, word);
ALTER TABLE oauth_apps ADD COLUMN resources ${t.json} NOT NULL DEFAULT '[]';
`;

const appsAtOnce = 1000;

interface Said {
  readonly holders: { readonly id: string; readonly organization_id: string | null; readonly name: string }[];
  created_at: Date;
}

const filled = {
  id: "uuid",
  identifier: "string",
  name: "string",
  organization_id: "uuid",
  who_may_ask: "string",
  app_ids: "json",
  created_at: "time",
  updated_at: "time",
  identifier_key: "string",
} as const satisfies Readonly<Record<string, Kind>>;

/**
 * Creates a record for each API that apps name in their `metadata`. If several spellings have the same normal
 * form, only one of them gets it, and the others need an exact match.
 */
export async function carryResourcesOver(connection: Connection, dialect: Dialect): Promise<void> {
  const said = new Map<string, Said>();
  const place = (index: number) => (dialect.name === "postgres" ? `$${index}` : "?");
  const note = (identifier: string, created_at: Date): Said => {
    const known = said.get(identifier) ?? { holders: [], created_at };
    if (created_at < known.created_at) known.created_at = created_at;
    said.set(identifier, known);
    return known;
  };

  for (let after = firstId; ; ) {
    const rows = await connection.all(
      `SELECT id, name, organization_id, metadata, created_at FROM oauth_apps
       WHERE id > ${place(1)} AND metadata IS NOT NULL ORDER BY id LIMIT ${place(2)}`,
      [dialect.encode("uuid", after), appsAtOnce],
    );
    for (const row of rows) {
      after = dialect.decode("uuid", row.id) as string;
      const { own, requested: asked } = resourcesInMetadata(
        dialect.decode("json", row.metadata) as OAuthApp["metadata"],
      );
      const created_at = dialect.decode("time", row.created_at) as Date;
      const organization_id = dialect.decode("uuid", row.organization_id) as string | null;
      for (const identifier of own)
        note(identifier, created_at).holders.push({ id: after, organization_id, name: String(row.name) });
      for (const identifier of asked) note(identifier, created_at);
      if (asked.length === 0) continue;
      await connection.run(`UPDATE oauth_apps SET resources = ${place(1)} WHERE id = ${place(2)}`, [
        dialect.encode("json", asked),
        row.id,
      ]);
    }
    if (rows.length < appsAtOnce) break;
  }

  const newId = idMaker();
  const words = wordKeeper(dialect);
  const taken = new Set<string>();
  const ordered = [...said].toSorted(
    ([one, { holders: ofOne }], [other, { holders: ofOther }]) =>
      Number(ofOther.length > 0) - Number(ofOne.length > 0) || (one < other ? -1 : 1),
  );
  const columns = Object.keys(filled);
  const values = columns.map((_, index) => place(index + 1)).join(", ");
  for (const [identifier, { holders, created_at }] of ordered) {
    const key = identifierKey(identifier);
    const [first, ...others] = holders;
    const owner = first?.organization_id ?? null;
    const row = {
      id: newId(created_at),
      identifier,
      name: (first !== undefined && others.length === 0 ? first.name : identifier).slice(0, 255),
      organization_id: others.every(({ organization_id }) => organization_id === owner) ? owner : null,
      who_may_ask: "listed",
      app_ids: holders.map(({ id }) => id),
      created_at,
      updated_at: created_at,
      identifier_key: key === undefined || taken.has(key) ? null : key,
    };
    if (key !== undefined) taken.add(key);
    await connection.run(
      `INSERT INTO resources (${columns.join(", ")}) VALUES (${values})`,
      Object.entries(filled).map(([name, kind]) => dialect.encode(kind, row[name as keyof typeof filled])),
    );
    await words.add(connection, "resources", [row]);
  }
}
