/**
 * Measures how many passwords this machine verifies per second with no other load: Argon2id with the
 * parameters and the library that Postern uses, one verification per core at a time. Runs as a separate
 * process: `{"seconds":n}` on standard input, `{"per_second":n}` on standard output.
 */
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { hash, verify } from "@node-rs/argon2";

const warmUp_ms = 300;
const password = "correct horse battery staple";

async function verificationsPerSecond(seconds: number): Promise<number> {
  const phc = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const made: number[] = [];
  let over = false;
  async function verifyOn(): Promise<void> {
    while (!over) {
      if (!(await verify(phc, password))) throw new Error("Argon2id rejected the correct password");
      made.push(performance.now());
    }
  }
  const running = Array.from({ length: availableParallelism() }, verifyOn);
  await sleep(warmUp_ms + seconds * 1000);
  over = true;
  await Promise.all(running);
  // Only a few verifications end per second. The measured time therefore begins and ends exactly at the end
  // of a verification, so that it contains no fraction of one.
  const counted = made.filter((at) => at >= (made[0] ?? 0) + warmUp_ms);
  const [first = 0, last = 0] = [counted[0], counted.at(-1)];
  return ((counted.length - 1) * 1000) / (last - first);
}

const { seconds } = JSON.parse(await text(process.stdin)) as { seconds: number };
process.stdout.write(`${JSON.stringify({ per_second: await verificationsPerSecond(seconds) })}\n`);
