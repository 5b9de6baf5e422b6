/**
 * How many RS256 signatures with a 2048-bit key this machine makes in a second when it does nothing else: the
 * callback form of `sign`, which works in libuv's threads (their number comes from UV_THREADPOOL_SIZE, set by
 * who starts this). A process of its own: `{"seconds":n}` on standard input, `{"per_second":n}` on standard
 * output.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/** About what a JWT access token has before its signature. */
const message = randomBytes(420);
/** Enough that no thread waits for the event loop to hand it work. */
const outstanding = 4 * Number(process.env.UV_THREADPOOL_SIZE ?? 4);
const warmUp_ms = 300;

async function signaturesPerSecond(seconds: number): Promise<number> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  let made = 0;
  let over = false;
  function signNext(): void {
    sign("sha256", message, privateKey, (error) => {
      if (error) throw error;
      made += 1;
      if (!over) signNext();
    });
  }
  for (let i = 0; i < outstanding; i++) signNext();
  await sleep(warmUp_ms);
  const [made_before, start] = [made, performance.now()];
  await sleep(seconds * 1000);
  const per_second = (made - made_before) / ((performance.now() - start) / 1000);
  over = true;
  return per_second;
}

const { seconds } = JSON.parse(await text(process.stdin)) as { seconds: number };
process.stdout.write(`${JSON.stringify({ per_second: await signaturesPerSecond(seconds) })}\n`);
