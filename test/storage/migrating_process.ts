/**
 * A program that opens a database, waits for a line, migrates the database and prints the applied migrations.
 * With a number it stops forever where it would record that many migrations as applied.
 */
import { once } from "node:events";
import type { Connection, Driver } from "../../src/storage/database/driver.ts";
import { type DatabaseAddress, openStore } from "../../src/storage/store.ts";

const address = JSON.parse(process.argv[2] ?? "") as DatabaseAddress;
const last = Number(process.argv[3] ?? Number.POSITIVE_INFINITY);
let noted = 0;

function stopping(driver: Driver): Driver {
  const around = (connection: Connection): Connection => ({
    ...connection,
    async run(sql, parameters) {
      if (sql.startsWith("INSERT INTO postern_migrations")) noted += 1;
      if (noted < last) return connection.run(sql, parameters);
      process.stdout.write("stopped\n");
      await new Promise(() => setInterval(() => {}, 60_000));
      return 0;
    },
  });
  return {
    ...driver,
    transaction: (work, options) => driver.transaction((connection) => work(around(connection)), options),
  };
}

process.stdout.write("ready\n");
await once(process.stdin, "data");
const store = await openStore(address, { around: stopping });
const applied = await store.migrate(new Date());
await store.close();
process.stdout.write(`${JSON.stringify(applied)}\n`);
process.exit(0);
