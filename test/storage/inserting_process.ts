/** A program that inserts tokens one after the other into a database, and prints each once it is stored. */
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { type DatabaseAddress, openStore } from "../../src/storage/store.ts";
import { accessOnly, tokenOf } from "../support/builders.ts";

const [address = "", app_id = ""] = process.argv.slice(2);
const store = await openStore(JSON.parse(address) as DatabaseAddress);
for (;;) {
  // Several concurrent inserts share a commit; none may be printed before it is on disk.
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const id = randomUUID();
      await store.insertToken(tokenOf({ id, app_id, user_id: null, ...accessOnly }));
      writeSync(1, `${id}\n`);
    }),
  );
}
