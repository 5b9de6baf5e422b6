/**
 * A process that applies the manifest from its standard input and kills itself (SIGKILL) after this number of
 * rows in the one transaction. Arguments: the database's address as JSON, and the number of rows.
 */
import { text } from "node:stream/consumers";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { type DatabaseAddress, openStore, type Store } from "../../src/storage/store.ts";
import { testContext } from "./context.ts";

const store = await openStore(JSON.parse(process.argv[2] ?? "") as DatabaseAddress);
let left = Number(process.argv[3]);

const mortal: Store = {
  ...store,
  transaction: (work, options) =>
    store.transaction((tx) => {
      const counted = <A extends unknown[], R>(write: (...args: A) => Promise<R>) => {
        return async (...args: A): Promise<R> => {
          const answer = await write(...args);
          left -= 1;
          if (left === 0) process.kill(process.pid, "SIGKILL");
          return answer;
        };
      };
      return work({
        ...tx,
        insert: counted(tx.insert) as typeof tx.insert,
        insertAll: counted(tx.insertAll) as typeof tx.insertAll,
        update: counted(tx.update) as typeof tx.update,
        remove: counted(tx.remove) as typeof tx.remove,
      });
    }, options),
};

const manifest: unknown = JSON.parse(await text(process.stdin));
await applyManifest(manifest, testContext(mortal), { prune: true });
await store.close();
