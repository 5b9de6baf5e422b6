/**
 * Computes the slow password hashes of other programs in a thread, so that they do not block the event loop.
 * Each one starts its own thread, because they are rare: the first successful sign-in replaces them.
 */
import { Worker } from "node:worker_threads";
import type { hashSync } from "bcryptjs";

/** `salt` and `setting` are ASCII strings. */
export type ThreadJob = { readonly password: Buffer } & (
  | { readonly scheme: "bcrypt"; readonly setting: string }
  | { readonly scheme: "phpass"; readonly rounds: number; readonly salt: string }
  | { readonly scheme: "md5-crypt"; readonly magic: string; readonly salt: string }
  | {
      readonly scheme: "sha-crypt";
      readonly algorithm: "sha256" | "sha512";
      readonly rounds: number;
      readonly salt: string;
    }
);

/** Returns the hash in the encoding of its scheme; for bcrypt, with version, cost and salt. */
export function hashInThread(job: ThreadJob): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(`(${serve.toString()})()`, {
      ...{ eval: true, execArgv: [], env: {} },
      workerData: { job, base: import.meta.url },
    });
    worker.on("message", resolve);
    worker.on("error", reject);
    worker.on("exit", () => reject(new Error("the worker thread ended before it returned the hash")));
  });
}

/** The source text of this function runs in the thread, so it cannot use anything defined outside. */
function serve(): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const crypto = process.getBuiltinModule("node:crypto");
  const { createRequire } = process.getBuiltinModule("node:module");
  const { job, base }: { job: ThreadJob; base: string } = workerData;
  const password = Buffer.from(job.password);

  const digest = (algorithm: string, ...parts: readonly Uint8Array[]): Buffer =>
    crypto.hash(algorithm, Buffer.concat(parts), "buffer");

  const repeated = (bytes: Buffer, length: number): Buffer => Buffer.alloc(length, bytes);

  const digitsOf = (value: number, count: number): string => {
    const all = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return Array.from({ length: count }, (_, index) => all.charAt((value >> (6 * index)) & 63)).join("");
  };

  const encoded = (bytes: Buffer, places: readonly number[]): string => {
    let text = "";
    for (let index = 0; index < places.length; index += 3) {
      const group = places.slice(index, index + 3).map((place) => bytes[place] ?? 0);
      text += digitsOf(
        group.reduce((sum, byte) => sum * 256 + byte, 0),
        group.length + 1,
      );
    }
    return text;
  };

  const stretched = (
    algorithm: string,
    first: Buffer,
    { rounds, key, salt }: { rounds: number; key: Buffer; salt: Buffer },
  ): Buffer => {
    let state = first;
    for (let round = 0; round < rounds; round += 1) {
      const isOdd = round % 2 === 1;
      const parts = [isOdd ? key : state];
      if (round % 3 !== 0) parts.push(salt);
      if (round % 7 !== 0) parts.push(key);
      parts.push(isOdd ? state : key);
      state = digest(algorithm, ...parts);
    }
    return state;
  };

  const byBits = (one: Buffer, zero: Buffer): Buffer[] => {
    const parts: Buffer[] = [];
    for (let bits = password.length; bits > 0; bits >>= 1) parts.push(bits % 2 === 1 ? one : zero);
    return parts;
  };

  function md5Crypt(magic: string, saltText: string): string {
    const salt = Buffer.from(saltText);
    const both = repeated(digest("md5", password, salt, password), password.length);
    const bits = byBits(Buffer.alloc(1), password.subarray(0, 1));
    const first = digest("md5", password, Buffer.from(magic), salt, both, ...bits);
    const state = stretched("md5", first, { rounds: 1000, key: password, salt });
    const places = [0, 1, 2, 3].flatMap((place) => [place, place + 6, place + 12]);
    return encoded(state, [...places, 4, 10, 5, 11]);
  }

  /** The algorithm is specified at https://www.akkadia.org/drepper/SHA-crypt.txt. */
  function shaCrypt(algorithm: "sha256" | "sha512", rounds: number, saltText: string): string {
    const salt = Buffer.from(saltText);
    const both = digest(algorithm, password, salt, password);
    const first = digest(
      algorithm,
      password,
      salt,
      repeated(both, password.length),
      ...byBits(both, password),
    );
    const ofPasswords = digest(algorithm, repeated(password, password.length ** 2));
    const ofSalts = digest(algorithm, repeated(salt, salt.length * (16 + (first[0] ?? 0))));
    const key = repeated(ofPasswords, password.length);
    const state = stretched(algorithm, first, { rounds, key, salt: repeated(ofSalts, salt.length) });
    const [third, step, last] = algorithm === "sha256" ? [10, 21, [31, 30]] : [21, 22, [63]];
    const triples = Array.from({ length: third }, (_, index) =>
      [0, third, 2 * third].map((place) => (place + step * index) % (3 * third)),
    );
    return encoded(state, [...triples.flat(), ...last]);
  }

  function phpass(rounds: number, salt: string): string {
    let state = digest("md5", Buffer.from(salt), password);
    for (let round = 0; round < rounds; round += 1) state = digest("md5", state, password);
    const triples = [0, 3, 6, 9, 12].flatMap((place) => [place + 2, place + 1, place]);
    return encoded(state, [...triples, 15]);
  }

  function hashed(): string {
    switch (job.scheme) {
      case "bcrypt": {
        const bcrypt: { hashSync: typeof hashSync } = createRequire(base)("bcryptjs");
        return bcrypt.hashSync(password.toString(), job.setting);
      }
      case "phpass":
        return phpass(job.rounds, job.salt);
      case "md5-crypt":
        return md5Crypt(job.magic, job.salt);
      case "sha-crypt":
        return shaCrypt(job.algorithm, job.rounds, job.salt);
      default:
        return job satisfies never;
    }
  }

  parentPort?.postMessage(hashed());
}
