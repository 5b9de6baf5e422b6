import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { generateKeyPairSync, verify } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import { type PreparedKey, type SigningThread, signingThread } from "../../src/crypto/signing_thread.ts";

function ecKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key: PreparedKey = { digest: "sha256", signer: { key: privateKey, dsaEncoding: "ieee-p1363" } };
  return { key, fits: fitsOf("sha256", { key: publicKey, dsaEncoding: "ieee-p1363" }) };
}

function edKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return { key: { digest: null, signer: privateKey }, fits: fitsOf(null, { key: publicKey }) };
}

function fitsOf(digest: "sha256" | null, by: Parameters<typeof verify>[2] & object) {
  return (input: string, signature: string) =>
    verify(digest, Buffer.from(input), by, Buffer.from(signature, "base64url"));
}

describe("the signing thread", () => {
  let thread: SigningThread;
  let workers: Worker[];
  const note = (message: unknown) => workers.push((message as { worker: Worker }).worker);

  beforeEach(() => {
    workers = [];
    subscribe("worker_threads", note);
    thread = signingThread();
  });

  afterEach(async () => {
    unsubscribe("worker_threads", note);
    await thread.close();
  });

  /** Signs until the thread runs, because it accepts no work before. */
  async function running(): Promise<Worker> {
    const { key } = ecKey();
    await Promise.all(["a", "b", "c"].map((input) => thread.sign(key, input)));
    const [worker] = workers;
    assert.ok(worker !== undefined);
    await once(worker, "online");
    return worker;
  }

  const inputs = Array.from({ length: 40 }, (_, index) => `input ${index}`);

  test("one or two signatures at a time are made on the event loop, without the thread", async () => {
    const { key, fits } = ecKey();
    const [one, two] = await Promise.all([thread.sign(key, "one"), thread.sign(key, "two")]);
    assert.ok(fits("one", one) && fits("two", two));
    assert.equal(workers.length, 0);
  });

  test("many concurrent signatures with several keys each reach their own caller", async () => {
    const worker = await running();
    const keys = [ecKey(), edKey(), ecKey()];
    let sent = 0;
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message: unknown) => {
      sent += 1;
      post(message);
    };
    for (let round = 0; round < 3; round += 1) {
      const made = inputs.map((input, index) => {
        const { key, fits } = keys[index % keys.length] ?? assert.fail();
        return thread.sign(key, input).then((signature) => fits(input, signature));
      });
      assert.deepEqual(
        await Promise.all(made),
        inputs.map(() => true),
      );
    }
    assert.equal(sent, 3);
    assert.equal(workers.length, 1);
  });

  test("if the thread ends, pending signatures are made on the event loop and the next request starts a thread", async () => {
    const { key, fits } = ecKey();
    for (const end of [(worker: Worker) => worker.terminate(), () => thread.close()]) {
      workers = [];
      const worker = await running();
      const made = inputs.map((input) => thread.sign(key, input));
      await turn();
      await end(worker);
      const signatures = await Promise.all(made);
      assert.ok(inputs.every((input, index) => fits(input, signatures[index] ?? "")));
    }
  });

  test("a key that cannot sign fails only its own signatures, with the reason", async () => {
    await running();
    const { key, fits } = ecKey();
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const wrong: PreparedKey = { digest: "sha256", signer: publicKey };
    const [good, bad, other] = await Promise.allSettled([
      thread.sign(key, "good"),
      thread.sign(wrong, "bad"),
      thread.sign(key, "other"),
    ]);
    assert.ok(good.status === "fulfilled" && fits("good", good.value));
    assert.ok(other.status === "fulfilled" && fits("other", other.value));
    assert.ok(bad.status === "rejected" && /private/.test(String(bad.reason)));
  });

  test("if the system cannot start a thread, the event loop signs and the process continues", async () => {
    const program = `
      import { generateKeyPairSync } from "node:crypto";
      import { signingThread } from ${JSON.stringify(import.meta.resolve("../../src/crypto/signing_thread.ts"))};
      const key = { digest: null, signer: generateKeyPairSync("ed25519").privateKey };
      const { sign } = signingThread();
      for (const turn of [1, 2]) {
        const made = await Promise.all(["a", "b", "c", "d"].map((input) => sign(key, input)));
        console.log(new Set(made).size);
      }`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...["--permission", "--allow-fs-read=*", "--no-warnings"],
      ...["--input-type=module", "--eval", program],
    ]);
    assert.equal(stdout, "4\n4\n");
  });
});
