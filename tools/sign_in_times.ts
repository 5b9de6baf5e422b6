/**
 * Measures whether the duration of a sign-in reveals whether an account exists, and which kind of password
 * hash it has (MG-3, L-9). It alternates sign-ins with a wrong password for unknown email addresses, for
 * local accounts, and for imported accounts with a fast, a weak and a slow hash. Then it repeats them with a
 * hook for unknown email addresses that knows no user, hangs or is down (MG-9). It prints the median
 * durations, and fails if two medians of one round differ by more than five milliseconds.
 *
 * `npm run drill:times -- [tries of each, 2000]`, on an idle machine; 2,000 take half an hour.
 */
import { createHash, pbkdf2Sync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hashSync } from "bcryptjs";
import { createUser } from "../src/admin/records/users.ts";
import { passwordHasher } from "../src/crypto/passwords.ts";
import { createOutbound } from "../src/outbound/outbound.ts";
import { signIn } from "../src/people/entry/sign_in.ts";
import { accountLookup } from "../src/server/account_lookup.ts";
import { testContext } from "../test/admin/context.ts";
import { testServer } from "../test/support/authorization_server.ts";
import { openStoreAt } from "../test/support/databases.ts";
import { identityOn } from "../test/support/identity_context.ts";

const mostApart = 5;
const { positionals } = parseArgs({ allowPositionals: true });
const tries = Number(positionals[0] ?? 2000);

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
function pbkdf2(iterations: number): string {
  const salt = randomBytes(16);
  const hash = pbkdf2Sync("its password", salt, iterations, 32, "sha256");
  return `$pbkdf2-sha256$i=${iterations},l=32$${base64(salt)}$${base64(hash)}`;
}

const hashes = {
  "imported, weak": `{SHA}${createHash("sha1").update("its password").digest("base64")}`,
  "imported, fast": pbkdf2(5000),
  "imported, slow": hashSync("its password", 10),
};

const folder = mkdtempSync(join(tmpdir(), "postern-times-"));
const store = await openStoreAt({ kind: "sqlite", path: join(folder, "postern.db") });
await store.migrate(new Date());
const { server } = await testServer(store);
// The hasher that the server uses for passwords.
const passwords = passwordHasher({ concurrency: 2, queue: 1000 });
const context = { ...identityOn(server), passwords, throttle: false };
const admin = { ...testContext(store), passwords, now: server.now };
const emails = new Map([["unknown", "unknown@example.com"]]);
const add = async (kind: string, password: unknown) => {
  const email = `${kind.replaceAll(/[^a-z]/g, "")}@example.com`;
  await createUser(admin, { email, name: kind, password });
  emails.set(kind, email);
};
await add("known", "a password of our own");
for (const [kind, hash] of Object.entries(hashes)) await add(kind, { hash });

const origin = { client_ip: "192.0.2.1", user_agent: null, request_id: "r" };
const warmUp = 20;

/**
 * Alternates wrong sign-ins of each kind, prints their medians, and returns their maximum difference in
 * milliseconds.
 */
async function round(title: string, kinds: ReadonlyMap<string, string>, count: number, by = context) {
  const times = new Map([...kinds.keys()].map((kind) => [kind, [] as number[]]));
  for (let time = 0; time < count + warmUp; time += 1)
    for (const [kind, email] of kinds) {
      const started = performance.now();
      await signIn({ email, password: `wrong ${time}`, origin }, by);
      if (time >= warmUp) times.get(kind)?.push(performance.now() - started);
    }
  const medians = [...times].map(([kind, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
    console.log(
      `${kind}: median ${at(0.5).toFixed(2)} ms, 10th percentile ${at(0.1).toFixed(2)}, 90th percentile ${at(0.9).toFixed(2)}`,
    );
    return at(0.5);
  });
  const apart = Math.max(...medians) - Math.min(...medians);
  console.log(`${title}, ${count} tries of each: the medians are ${apart.toFixed(2)} ms apart`);
  if (apart > mostApart) process.exitCode = 1;
}

await round("stored passwords", emails, tries);

/** A hook that knows no user, hangs or is down, depending on the path. */
const hook = createServer((request, response) => {
  request.setEncoding("utf8");
  let body = "";
  request.on("data", (text) => {
    body += text;
  });
  request.on("end", () => {
    if (body.includes("hangs@")) return;
    response.writeHead(body.includes("down@") ? 500 : 200).end('{"found":false}');
  });
});
hook.listen(0, "127.0.0.1");
await once(hook, "listening");
const lookup = accountLookup({
  settings: {
    url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
    ...{ secret: `whsec_${base64(randomBytes(32))}`, until: new Date(8.64e15), source: "hook" },
    ...{ send_password: true, answer_time: 800 },
  },
  outbound: createOutbound({ allow: ["127.0.0.0/8"] }),
  admin: { store, passwords, now: server.now, issuer: server.issuer, switches: {} },
  log: { warn: () => {} },
});
const asked = new Map([
  ["unknown there", "none@example.com"],
  ["the hook hangs", "hangs@example.com"],
  ["the hook is down", "down@example.com"],
  ["known", "known@example.com"],
]);
await round("account look-up", asked, Math.ceil(tries / 20), { ...context, account_lookup: lookup });

hook.closeAllConnections();
hook.close();
await store.close();
rmSync(folder, { recursive: true });
