/** An authorization server without HTTP, with a clock that the test moves. */
import { randomBytes } from "node:crypto";
import { before } from "node:test";
import { passwordHasher } from "../../src/crypto/passwords.ts";
import { type Sealer, sealer } from "../../src/crypto/sealing.ts";
import { generateSigningKey } from "../../src/crypto/signing_keys.ts";
import { verifiedSecrets } from "../../src/crypto/verified_secrets.ts";
import { clientDocuments } from "../../src/oauth/client_metadata/client_documents.ts";
import { clientKeySets } from "../../src/oauth/client_metadata/client_key_sets.ts";
import { allMethods } from "../../src/oauth/clients/methods/all_methods.ts";
import { serverMemory } from "../../src/oauth/core/memory.ts";
import type { AuthorizationServer, SecurityEvent, Settings } from "../../src/oauth/core/server.ts";
import { keyRingSource } from "../../src/oauth/key_ring_source.ts";
import { allGrants } from "../../src/oauth/token/grants/all_grants.ts";
import { createOutbound } from "../../src/outbound/outbound.ts";
import type { SigningAlgorithm } from "../../src/records/names/names.ts";
import type { Store } from "../../src/storage/store.ts";
import { later, start } from "./builders.ts";
import type { TestDatabase } from "./databases.ts";

/**
 * The lowest cost that Argon2id allows, which keeps tests fast. The strength of the hashes has separate
 * tests.
 */
export const cheapHashing = { m: 8, t: 1, p: 1 } as const;

export interface Clock {
  now(): Date;
  /** Moves the clock forward. */
  advance(seconds: number): void;
}

/** Creates a clock that advances only when `advance` is called. */
export function testClock(from: Date = start): Clock {
  let at = from;
  return {
    now: () => at,
    advance(seconds) {
      at = later(seconds, at);
    },
  };
}

export interface TestServer {
  readonly server: AuthorizationServer & { readonly store: Store };
  readonly store: Store;
  readonly clock: Clock;
  /** The reported events, oldest first. */
  readonly events: SecurityEvent[];
}

export const issuer = "https://id.example";

interface SealedKey {
  readonly seal: Sealer;
  readonly key: {
    id: string;
    kid: string;
    public_jwk: never;
    algorithm: "RS256";
    private_key_sealed: string;
  };
}

let sealedKey: Promise<SealedKey> | undefined;

/** Created once per test process, because creating an RSA key takes longer than most tests. */
async function makeSealedKey(id: string): Promise<SealedKey> {
  const seal = sealer([randomBytes(32)]);
  const made = (await generateSigningKey(seal, id)) as unknown as Omit<SealedKey["key"], "id">;
  return { seal, key: { id, ...made } };
}

/** Adds a signing key of this algorithm, as a server does at its start for profiles that need one. */
export async function addKey(
  algorithm: SigningAlgorithm,
  { store, clock, seal }: { readonly store: Store; readonly clock: Clock; readonly seal: Sealer },
): Promise<void> {
  const created_at = clock.now();
  const id = store.newId(created_at);
  const made = await generateSigningKey(seal, id, { algorithm });
  const public_jwk = { ...made.public_jwk };
  await store.addFirstSigningKey({ id, ...made, public_jwk, activates_at: created_at, created_at });
}

/** Creates a server on a store with tables; adds a signing key if there is none. */
export async function testServer(store: Store, settings: Partial<Settings> = {}): Promise<TestServer> {
  const clock = testClock();
  const events: SecurityEvent[] = [];
  sealedKey ??= makeSealedKey(store.newId(clock.now()));
  const { seal, key } = await sealedKey;
  await store.addFirstSigningKey({
    ...key,
    activates_at: clock.now(),
    created_at: clock.now(),
  });
  const server = {
    issuer,
    store,
    keys: keyRingSource(store, seal),
    passwords: passwordHasher({ concurrency: 2, queue: 1000, parameters: cheapHashing }),
    verifiedSecrets: verifiedSecrets({ max: 1000, ttl_seconds: 300, now: clock.now }),
    sealer: seal,
    now: clock.now,
    report: (event: SecurityEvent) => events.push(event),
    settings: {
      authorization_code_ttl: 60,
      refresh_reuse_window: 0,
      refresh_family_max_age: 7_776_000,
      ...settings,
    },
    memory: serverMemory(),
    grants: allGrants,
    clientAuthenticationMethods: allMethods,
    clientKeySets: {
      registered: clientKeySets({ outbound: createOutbound(), now: clock.now }),
      organization: clientKeySets({ outbound: createOutbound(), now: clock.now }),
      open: clientKeySets({ outbound: createOutbound(), now: clock.now }),
    },
    clientDocuments: clientDocuments({ outbound: createOutbound(), now: clock.now }),
  } satisfies AuthorizationServer;
  return { server, store, clock, events };
}

/** Creates a server on a separate database for the tests of a suite; it is ready when they run. */
export function serverOn(database: TestDatabase, settings: Partial<Settings> = {}): TestServer {
  const made = {} as TestServer;
  before(async () => {
    Object.assign(made, await testServer(await database.open(), settings));
  });
  return made;
}
