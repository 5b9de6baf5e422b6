/**
 * Measures how many signatures of an algorithm this machine creates and verifies per second with no other
 * load, on one thread per core, so that no event loop limits them. A separate process:
 * SignatureLimitInput on standard input, SignatureLimit on standard output.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from "node:crypto";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Algorithm } from "./algorithms.ts";

export interface SignatureLimitInput {
  readonly algorithm: Algorithm;
  /** Duration of signing; verifying takes half as long. */
  readonly seconds: number;
}

/** Rates per second of all cores together. */
export interface SignatureLimit {
  readonly signed: number;
  readonly verified: number;
}

const keyPairs: Readonly<Record<Algorithm, () => { privateKey: KeyObject; publicKey: KeyObject }>> = {
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  EdDSA: () => generateKeyPairSync("ed25519"),
};

const warmUp_ms = 300;
/** Calls between two readings of the clock. */
const atOnce = 8;

/** About the length of a JWT access token without its signature. */
const message = randomBytes(420);

/** Returns how often `work` runs per second. */
function rateOf(work: () => void, seconds: number): number {
  const warm = performance.now() + warmUp_ms;
  while (performance.now() < warm) work();
  const start = performance.now();
  const end = start + seconds * 1000;
  let done = 0;
  while (performance.now() < end) {
    for (let i = 0; i < atOnce; i++) work();
    done += atOnce;
  }
  return (1000 * done) / (performance.now() - start);
}

function measureThread({ algorithm, seconds }: SignatureLimitInput): SignatureLimit {
  const { privateKey, publicKey } = keyPairs[algorithm]();
  const digest = algorithm === "EdDSA" ? null : "sha256";
  // The signature format of JWS (RFC 7518 3.4).
  const [signing, verifying] = [
    { key: privateKey, dsaEncoding: "ieee-p1363" as const },
    { key: publicKey, dsaEncoding: "ieee-p1363" as const },
  ];
  const signature = sign(digest, message, signing);
  return {
    signed: rateOf(() => sign(digest, message, signing), seconds),
    verified: rateOf(() => {
      if (!verify(digest, message, verifying, signature)) throw new Error("a correct signature was rejected");
    }, seconds / 2),
  };
}

function inThread(input: SignatureLimitInput): Promise<SignatureLimit> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(import.meta.filename, { workerData: input });
    thread.once("message", resolve);
    thread.once("error", reject);
  });
}

if (isMainThread) {
  const input = JSON.parse(await text(process.stdin)) as SignatureLimitInput;
  const threads = await Promise.all(Array.from({ length: availableParallelism() }, () => inThread(input)));
  const sum = (rate: keyof SignatureLimit) => threads.reduce((all, thread) => all + thread[rate], 0);
  const limit: SignatureLimit = { signed: sum("signed"), verified: sum("verified") };
  process.stdout.write(`${JSON.stringify(limit)}\n`);
} else {
  parentPort?.postMessage(measureThread(workerData as SignatureLimitInput));
}
