import type { TableName } from "../../records/definition/definition.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";
import { firstId } from "../database/ids.ts";
import { wordKeeper } from "../database/search_words.ts";
import { rowDecoder } from "../database/statement.ts";

const rowsAtOnce = 1000;

/** Writes the search words and attribute values of all existing records of these tables. */
export async function fillWords(
  connection: Connection,
  dialect: Dialect,
  filled: readonly TableName[],
  names?: readonly string[],
): Promise<void> {
  const keeper = wordKeeper(dialect);
  const [first, second] = dialect.name === "postgres" ? ["$1", "$2"] : ["?", "?"];
  const columns = names === undefined ? "*" : ["id", ...names].join(", ");
  for (const table of filled) {
    const decode = rowDecoder<{ readonly id: string }>(dialect, table);
    let after = firstId;
    for (;;) {
      const rows = await connection.all(
        `SELECT ${columns} FROM ${table} WHERE id > ${first} ORDER BY id LIMIT ${second}`,
        [dialect.encode("uuid", after), rowsAtOnce],
      );
      const decoded = rows.map(decode);
      await keeper.add(connection, table, decoded, names);
      after = decoded.at(-1)?.id ?? after;
      if (rows.length < rowsAtOnce) break;
    }
  }
}
