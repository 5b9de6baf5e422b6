/** Poll-based delivery (RFC 8936): tokens are signed for each poll and stored nowhere. */
import type { OAuthApp } from "../../records/definition/definition.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { controlSignal, signEventToken, tokenId } from "./event_token.ts";
import { type Signal, type Stream, signalledTypes, signalOf } from "./signal_of.ts";

/** Maximum number of tokens in a response, and of identifiers in a request. */
export const mostTokens = 100;
const mostPages = 10;

interface Poll {
  readonly most: number;
  /** Identifiers of tokens that the receiver acknowledges or reports as unusable. */
  readonly received: readonly string[];
}

export interface PollAnswer {
  readonly sets: Readonly<Record<string, string>>;
  readonly moreAvailable: boolean;
}

export async function poll(
  { id }: Pick<Stream, "id">,
  { most, received }: Poll,
  app: OAuthApp,
  server: AuthorizationServer,
): Promise<PollAnswer> {
  const { store } = server;
  const stream = await store.transaction(async (tx) => {
    // The write locks the row, so concurrent polls do not lose each other's acknowledgements.
    const [held] = await tx.change("signal_streams", { id }, { last_active_at: server.now() });
    if (held === undefined || received.length === 0) return held;
    const controls = held.controls.filter(({ jti }) => !received.includes(jti));
    const known = new Set(held.controls.map(({ jti }) => jti));
    const events = received.filter((jti) => !known.has(jti));
    const acknowledged = [...new Set([...held.acknowledged, ...events])].slice(-10 * mostTokens);
    await tx.update("signal_streams", { id }, { controls, acknowledged });
    return { ...held, controls, acknowledged };
  });
  if (stream === undefined || stream.status === "disabled") return { sets: {}, moreAvailable: false };
  const waiting = new Map<string, Signal>(
    stream.controls.map((control) => [control.jti, controlSignal(stream, control)]),
  );
  if (stream.status === "enabled") await addEvents(waiting, most + 1, stream, app, server);
  const sets: Record<string, string> = {};
  for (const [jti, signal] of [...waiting].slice(0, most))
    sets[jti] = await signEventToken(jti, signal, app.client_id, server);
  return { sets, moreAvailable: waiting.size > most };
}

async function addEvents(
  waiting: Map<string, Signal>,
  enough: number,
  stream: Stream,
  app: OAuthApp,
  server: AuthorizationServer,
): Promise<void> {
  const { store } = server;
  const { newest } = await store.feedBounds();
  const acknowledged = new Set(stream.acknowledged);
  let [read, passed] = [stream.position, stream.position];
  let waits = false;
  for (let page = 0; page < mostPages && read < newest && waiting.size < enough; page++) {
    const part = await store.readFeed({ after: read, limit: mostTokens, types: signalledTypes }, newest);
    for (const event of part.events) {
      const jti = tokenId(stream, event.id);
      const isReceived = acknowledged.has(jti);
      const signal = isReceived ? undefined : await signalOf(event, stream, app, server);
      if (signal !== undefined) {
        waits = true;
        waiting.set(jti, signal);
        if (waiting.size >= enough) break;
      } else if (!waits) {
        acknowledged.delete(jti);
        passed = event.position ?? passed;
      }
    }
    read = part.position;
    if (!waits) passed = read;
  }
  if (passed === stream.position) return;
  const changes = { position: passed, acknowledged: [...acknowledged] };
  await store.update("signal_streams", { id: stream.id, position: stream.position }, changes);
}
