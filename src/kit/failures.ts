import type { ServerResponse } from "node:http";
import { challengeHeaders } from "../app.ts";
import { credentialPrefix, findSignature } from "../crypto/credentials.ts";
import { asDescription, type OAuthErrorCode, statusOf } from "../errors.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import { findToken } from "../oauth/presented/active_token.ts";
import { type Endpoint, type Failure, namedFailures, pathOf, type RecordedRequest } from "./kit_types.ts";

/** Returns the queue that holds the requested failures of each endpoint, in order. */
export function failureQueue() {
  const queues = new Map<string, Failure[]>();
  return {
    /** Throws if there is no such endpoint or failure. */
    add(endpoint: Endpoint, failure: Failure, times: number): void {
      const path = pathOf(endpoint);
      if (typeof failure === "string" && !namedFailures.includes(failure))
        throw new Error(`${failure} is not a failure: expected ${namedFailures.join(", ")}`);
      queues.set(path, [...(queues.get(path) ?? []), ...Array<Failure>(times).fill(failure)]);
    },
    take: (path: string): Failure | undefined => queues.get(path)?.shift(),
    clear: () => queues.clear(),
  };
}

const codes = {
  "429": "temporarily_unavailable",
  "500": "server_error",
  "503": "temporarily_unavailable",
} as const satisfies Record<string, OAuthErrorCode>;

/** A test may request a code that the server never returns; 400 is the most common status. */
function usualStatus(error: string): number {
  return Object.hasOwn(statusOf, error) ? statusOf[error as OAuthErrorCode] : 400;
}

function answer(response: ServerResponse, status: number, body: string, headers: Record<string, string>) {
  response.writeHead(status, { "cache-control": "no-store", ...headers }).end(body);
}

const json = { "content-type": "application/json" };

/**
 * Lets a call fail as the test requested. Returns false, without an effect, if the server itself has to
 * answer the call.
 */
export function answerFailure(
  failure: Failure,
  response: ServerResponse,
  called: { readonly path: string; readonly server: AuthorizationServer },
): boolean {
  if (typeof failure === "object") {
    if ("delay" in failure) return false;
    const { error: code, status = usualStatus(code) } = failure;
    const description = asDescription(failure.description ?? "the test requested this failure");
    const body = JSON.stringify({ error: code, error_description: description });
    answer(response, status, body, { ...json, ...challengeHeaders({ code, status, description }, called) });
    return true;
  }
  switch (failure) {
    case "timeout":
      return true;
    case "reset":
      response.destroy();
      return true;
    case "429":
    case "500":
    case "503": {
      const body = JSON.stringify({
        error: codes[failure],
        error_description: "the test requested this failure",
      });
      answer(response, Number(failure), body, { ...json, ...(failure !== "500" && { "retry-after": "1" }) });
      return true;
    }
    case "502":
      answer(response, 502, "<html><title>502 Bad Gateway</title></html>", { "content-type": "text/html" });
      return true;
    case "garbled":
      answer(response, 200, '{"access_token":"', json);
      return true;
    case "expired":
    case "revoked":
    case "replay":
      return false;
    default:
      return failure satisfies never;
  }
}

const longAgo = new Date(0);

function presented({ parameters, token }: RecordedRequest): string | undefined {
  const found = parameters.code ?? parameters.refresh_token ?? parameters.token ?? token;
  return typeof found === "string" ? found : undefined;
}

/** Expires or revokes the credential that a call presents, so the server refuses it. */
export async function endPresented(
  how: "expired" | "revoked",
  request: RecordedRequest,
  server: AuthorizationServer,
): Promise<void> {
  const { store } = server;
  const credential = presented(request);
  if (credential === undefined) return;
  const code_signature = findSignature(credentialPrefix.code, credential);
  if (code_signature !== undefined) {
    await store.update("oauth_auth_codes", { code_signature }, { expires_at: longAgo });
    return;
  }
  const found = await findToken(credential, server);
  if (found === undefined) return;
  const { row, half } = found;
  if (how === "revoked") await revokeToken(row, server);
  else {
    const change = half === "access_token" ? { access_expires_at: longAgo } : { refresh_expires_at: longAgo };
    await store.update("oauth_tokens", { id: row.id }, change);
  }
}

/** Ends the reuse window of a used refresh token, so the server treats the next use as a replay. */
export async function endReuseWindow(
  { parameters }: RecordedRequest,
  { store }: AuthorizationServer,
): Promise<void> {
  const { refresh_token } = parameters;
  const spent =
    typeof refresh_token === "string" && findSignature(credentialPrefix.refresh_token, refresh_token);
  if (spent) await store.forgetEphemeral("refresh_answer", spent);
}

/** Revokes a token or, if it has a user, every token of the same authorization. */
export async function revokeToken(
  row: { readonly id: string; readonly family_id: string; readonly user_id: string | null },
  { store, now }: AuthorizationServer,
): Promise<void> {
  if (row.user_id === null) await store.endAccessToken(row.id, now());
  else await store.revokeFamily(row.family_id, "revoked", now());
}
