/**
 * Intercepts every request to a kit server: records it, and makes it fail if the test has requested a
 * failure.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { AnsweringApp } from "../http/serving/listener.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import { answerFailure, endPresented, endReuseWindow, type failureQueue } from "./failures.ts";
import { gatherBody, type Recorder, recordAnswer } from "./recorder.ts";

interface Interception {
  readonly recorder: Recorder;
  readonly failures: ReturnType<typeof failureQueue>;
  readonly server: () => AuthorizationServer;
}

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
        // Simulates another client that sent the same request first, longer ago than the reuse window.
        await app.inject({ method: method as "POST", url, headers, payload: body });
        await endReuseWindow(entry, server());
      } else if (failure === "expired" || failure === "revoked") await endPresented(failure, entry, server());
    }
    giveBack();
    app.routing(request, response);
  }
  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch((error) => {
      // The test must see an error of the kit itself, not only a closed connection.
      if (response.headersSent) response.destroy();
      else
        response.writeHead(500, { "content-type": "text/plain" }).end(`the test kit failed: ${error.stack}`);
    });
  };
}
