/**
 * A process that issues tokens as fast as it can until it is killed. Its argument is the JSON of a new database's address;
 * each answer is one line on standard output, written when the answer would go to its client.
 */
import { writeSync } from "node:fs";
import { type DatabaseAddress, openStore } from "../../src/storage/store.ts";
import { aParty, type Refreshable } from "../oauth/party.ts";
import { testServer } from "../support/authorization_server.ts";

/** How many clients ask at the same time. */
const clients = 8;

const store = await openStore(JSON.parse(process.argv[2] ?? "") as DatabaseAddress);
await store.migrate(new Date());
const test = await testServer(store);
const party = await aParty(test, { allowed_grants: ["auth_code", "refresh", "client_credentials"] });

function say(answer: { access_token: string; refresh_token?: string }): void {
  writeSync(1, `${JSON.stringify([answer.access_token, answer.refresh_token ?? null])}\n`);
}

async function askForEver(): Promise<never> {
  for (;;) {
    say(await party.clientCredentials());
    let last: Refreshable = await party.flow();
    say(last);
    for (let turn = 0; turn < 3; turn++) {
      last = await party.refresh(last.refresh_token);
      say(last);
    }
  }
}

await Promise.all(Array.from({ length: clients }, askForEver));
