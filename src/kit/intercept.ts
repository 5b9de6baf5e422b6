/** Every request of a server of the kit passes here: it is recorded, and may fail as the test wants. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { AnsweringApp } from "../http/serving/listener.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import { answerFailure, endPresented, endReuseWindow, type failureQueue } from "./failures.ts";
import { gatherBody, type Recorder, recordAnswer } from "./recorder.ts";

export interface Interception {
  readonly recorder: Recorder;
  readonly failures: ReturnType<typeof failureQueue>;
  /** There once the server has started. */
  readonly server: () => AuthorizationServer;
}

/** Replaces the app's answer. */
export function intercepted(
  app: Pick<AnsweringApp, "routing" | "inject">,
  { recorder, failures, server }: Interception,
) {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { whole, giveBack } = gatherBody(request);
    const body = await whole;
    const { method = "GET", url = "/", headers } = request;
    const path = url.split("?", 1)[0] ?? url;
    const failure = failures.take(path);
    const entry = recorder.begin({ method, url, headers, body, failure });
    recordAnswer(response, entry);
    if (failure !== undefined) {
      if (answerFailure(failure, response, { path, server: server() })) return;
      if (typeof failure === "object" && "delay" in failure) await pause(failure.delay);
      else if (failure === "replay") {
        // Another client was first, with the very same request, and longer ago than the reuse window lasts.
        await app.inject({ method: method as "POST", url, headers, payload: body });
        await endReuseWindow(entry, server());
      } else if (failure === "expired" || failure === "revoked") await endPresented(failure, entry, server());
    }
    giveBack();
    app.routing(request, response);
  }
  return (request: IncomingMessage, response: ServerResponse): void => {
    // A failure of the kit itself ends the call, and the thread says why.
    answer(request, response).catch((error) => response.destroy(error));
  };
}
