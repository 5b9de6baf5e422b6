import { parentPort } from "node:worker_threads";
import type { KeyPair } from "../crypto/signing_keys.ts";
import { Problem } from "../errors.ts";
import { english } from "../web/words/english.ts";
import { detailText, fieldErrorText } from "../web/words/error_text.ts";
import type { ThreadData, ToServer, ToTest } from "./kit.ts";
import { startKitServer } from "./kit_server.ts";
import type { KitCommands } from "./kit_types.ts";

/** Structured cloning does not copy the details of an error, so its message contains them. */
function asError(error: unknown): Error {
  if (error instanceof Problem) {
    const errors = error.errors.map((each) => `${each.path}: ${fieldErrorText(each, english)}`);
    return new Error([detailText(error.detail, english), ...errors].join("\n  "));
  }
  return error instanceof Error ? new Error(error.message) : new Error(String(error));
}

export async function runKitThread(data: ThreadData, first_pair: Promise<KeyPair>): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("this is not a worker thread");
  const say = (message: ToTest) => port.postMessage(message);
  try {
    const log = data.logs ? (line: string) => say({ type: "log", line }) : undefined;
    const { url, commands } = await startKitServer({ ...data, log, first_pair });
    port.on("message", async ({ id, command, args }: ToServer) => {
      try {
        const act = commands[command] as (...args: readonly unknown[]) => ReturnType<KitCommands["apply"]>;
        say({ type: "answer", id, value: await act(...args) });
      } catch (error) {
        say({ type: "answer", id, error: asError(error) });
      }
    });
    say({ type: "ready", url });
  } catch (error) {
    say({ type: "failed", error: asError(error) });
  }
}
