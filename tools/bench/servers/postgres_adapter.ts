/**
 * Storage for `oidc-provider` in PostgreSQL, following its documentation and its example adapters for
 * SQL: a table per model with the payload as jsonb, and columns for lookups. Statements are prepared once
 * per connection, and the pool has as many connections as Postern's.
 */

import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";
import { Client, Pool } from "pg";

const models = [
  "AccessToken",
  "AuthorizationCode",
  "ClientCredentials",
  "Grant",
  "Interaction",
  "RefreshToken",
  "ReplayDetection",
  "Session",
];
/** Models that belong to a grant and are revoked by its ID. */
const grantable: readonly string[] = ["AccessToken", "AuthorizationCode", "RefreshToken"];

const connections = 16;

const tableOf = (model: string) => `"oidc_${model}"`;

/** Creates the tables, with indexes only on the columns that lookups use. */
export async function createTables(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const model of models) {
    const table = tableOf(model);
    await client.query(
      `CREATE TABLE ${table} (id text PRIMARY KEY, payload jsonb NOT NULL, grant_id text, uid text, user_code text,
        expires_at timestamptz, consumed_at timestamptz)`,
    );
    if (grantable.includes(model)) await client.query(`CREATE INDEX ON ${table} (grant_id)`);
    if (model === "Session") await client.query(`CREATE UNIQUE INDEX ON ${table} (uid)`);
  }
  await client.end();
}

interface StoredRow {
  readonly payload: AdapterPayload;
  readonly consumed_at: Date | null;
}

/** Expired rows are not found, but also not removed during a run. */
export function postgresAdapter(url: string): { adapter: AdapterFactory; close: () => Promise<void> } {
  const pool = new Pool({ connectionString: url, max: connections, idleTimeoutMillis: 60_000 });
  const adapter: AdapterFactory = (model): Adapter => {
    const table = tableOf(model);
    const prepared = (name: string, text: string) => ({ name: `${model}_${name}`, text });
    const columns = "payload, consumed_at";
    const alive = "(expires_at IS NULL OR expires_at > now())";
    const upsert = prepared(
      "upsert",
      `INSERT INTO ${table} (id, payload, grant_id, uid, user_code, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE SET payload = $2, grant_id = $3, uid = $4, user_code = $5, expires_at = $6`,
    );
    const find = prepared("find", `SELECT ${columns} FROM ${table} WHERE id = $1 AND ${alive}`);
    const findByUid = prepared("find_by_uid", `SELECT ${columns} FROM ${table} WHERE uid = $1 AND ${alive}`);
    const findByCode = prepared(
      "find_by_code",
      `SELECT ${columns} FROM ${table} WHERE user_code = $1 AND ${alive}`,
    );
    const consume = prepared("consume", `UPDATE ${table} SET consumed_at = now() WHERE id = $1`);
    const destroy = prepared("destroy", `DELETE FROM ${table} WHERE id = $1`);
    const revoke = prepared("revoke", `DELETE FROM ${table} WHERE grant_id = $1`);

    async function first(statement: typeof find, value: string): Promise<AdapterPayload | undefined> {
      const { rows } = await pool.query<StoredRow>({ ...statement, values: [value] });
      const row = rows[0];
      if (row === undefined) return undefined;
      return row.consumed_at === null
        ? row.payload
        : { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) };
    }

    return {
      async upsert(id, payload, expiresIn) {
        const { grantId = null, uid = null, userCode = null } = payload;
        const expires_at = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null;
        const values = [id, JSON.stringify(payload), grantId, uid, userCode, expires_at];
        await pool.query({ ...upsert, values });
      },
      find: (id) => first(find, id),
      findByUid: (uid) => first(findByUid, uid),
      findByUserCode: (userCode) => first(findByCode, userCode),
      async consume(id) {
        await pool.query({ ...consume, values: [id] });
      },
      async destroy(id) {
        await pool.query({ ...destroy, values: [id] });
      },
      async revokeByGrantId(grantId) {
        await pool.query({ ...revoke, values: [grantId] });
      },
    };
  };
  return { adapter, close: () => pool.end() };
}

/**
 * Copies the client's stored tokens with new IDs until there are `rows` rows, and then shuffles all rows,
 * so that the requested tokens are spread evenly over the others.
 */
export async function copyTokens(url: string, rows: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const table = tableOf("ClientCredentials");
  await client.query("BEGIN");
  await client.query(`CREATE TEMPORARY TABLE issued ON COMMIT DROP AS SELECT * FROM ${table}`);
  await client.query(`TRUNCATE ${table}`);
  await client.query(
    `WITH pattern AS (SELECT * FROM issued LIMIT 1),
      made AS (
        SELECT translate(substr(encode(sha256(('copy ' || number)::bytea), 'base64'), 1, 43), '+/', '-_') AS id
        FROM generate_series(1, $1::int - (SELECT count(*)::int FROM issued)) AS number
      ),
      everything AS (
        SELECT id, payload, grant_id, uid, user_code, expires_at, consumed_at FROM issued
        UNION ALL
        SELECT made.id, pattern.payload || jsonb_build_object('jti', made.id), pattern.grant_id, pattern.uid,
          pattern.user_code, pattern.expires_at, pattern.consumed_at
        FROM made, pattern
      )
    INSERT INTO ${table} SELECT * FROM everything ORDER BY random()`,
    [rows],
  );
  await client.query("COMMIT");
  await client.end();
}
