/** Restores a dump of a release into a database of the caller. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Client } from "pg";
import type { DatabaseAddress } from "../../../src/storage/store.ts";
import { useInProfile } from "../../support/databases.ts";
import { type Dump, folder } from "./releases.ts";

/** Fills the empty database at the address, and returns its contents. */
export async function restoreDump(release: string, address: DatabaseAddress): Promise<Dump> {
  const file = join(folder, `${release}.${address.kind}`);
  const bytes = gunzipSync(readFileSync(`${file}.gz`));
  if (address.kind === "sqlite") writeFileSync(address.path, bytes);
  else {
    const client = new Client({ connectionString: address.url });
    await client.connect();
    try {
      await client.query(bytes.toString());
    } finally {
      await client.end();
    }
    // The dump has the native profile.
    if (address.profile === "serializable") await useInProfile(address.url);
  }
  return JSON.parse(readFileSync(`${file}.json`, "utf8")) as Dump;
}
