/**
 * A program that opens the database it is given, waits for a line, brings it up to date and says what it
 * applied.
 */
import { once } from "node:events";
import { type DatabaseAddress, openStore } from "../../src/storage/store.ts";

const address = JSON.parse(process.argv[2] ?? "") as DatabaseAddress;
process.stdout.write("ready\n");
await once(process.stdin, "data");
const store = await openStore(address);
const applied = await store.migrate(new Date());
await store.close();
process.stdout.write(`${JSON.stringify(applied)}\n`);
process.exit(0);
