/** Receives notices of changes by other processes with LISTEN. */
import type pg from "pg";
import { v4 as randomId } from "uuid";
import { UnavailableError } from "../../errors.ts";
import { asUnavailable, fellSilent } from "./errors.ts";
import { connectTo, type PostgresHosts, type Role } from "./hosts.ts";
import { refuseTransactionPooler } from "./pooler.ts";

export const changeChannel = "postern_changes";

const heartbeatInterval = 300;
/** Milliseconds without a heartbeat after which cached records are not used. */
const heartbeatLimit = 1000;
/** Milliseconds without a response after which the connection counts as dead. */
const roundTripLimit = 2000;
/** Milliseconds without a heartbeat, although the server responds, after which the operator is warned. */
const silenceLimit = 3000;
/** In milliseconds. */
const complaintInterval = 10_000;

/**
 * Listens for notices on `changeChannel`. Calls `forget` for each, and whenever some may have been missed.
 * Notices of this process count too, because a commit whose acknowledgement was lost may take effect after
 * `forget` was called for it. Rejects if the database is unavailable at startup; later it retries until it
 * succeeds.
 *
 * A heartbeat is a notice from this process to itself. Receiving it proves that the notices of others would
 * have arrived. A heartbeat does not arrive through a pooler that runs statements but drops notices.
 */
export async function listenForChanges(options: {
  hosts: PostgresHosts;
  forget: () => void;
  onError: (error: Error) => void;
  onLost: () => void;
}) {
  const { hosts, forget, onError, onLost } = options;
  /** A channel of this process, so that its heartbeats wake no other process. */
  const ownChannel = `postern_beat_${randomId().replaceAll("-", "")}`;
  let heardAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let listening: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sent = 0;
  let beat: { readonly payload: string; readonly sentAt: number } | undefined;
  let silentSince: number | undefined;
  let warned = false;
  let known = false;
  let complainedAt = Number.NEGATIVE_INFINITY;
  let isFull = false;

  function onNotice({ channel, payload }: pg.Notification): void {
    if (channel === changeChannel) {
      forget();
    } else if (beat !== undefined && payload === beat.payload) {
      heardAt = beat.sentAt;
      complainedAt = Number.NEGATIVE_INFINITY;
      silentSince = undefined;
      warned = false;
    }
  }

  /** Notices of earlier commits arrive before the heartbeat. */
  async function sendBeat(client: pg.Client): Promise<void> {
    // A rejected notice does not free space in a full notification queue, but querying the usage of the queue
    // does.
    if (isFull) await client.query("SELECT pg_notification_queue_usage()");
    sent += 1;
    const sentAt = performance.now();
    const payload = String(sent);
    beat = { payload, sentAt };
    const { rows } = await client.query(
      `SELECT pg_notify($1, $2), pg_is_in_recovery() AS in_recovery,
        current_setting('transaction_read_only') = 'on' AS read_only`,
      [ownChannel, payload],
    );
    hosts.require(rows[0] as Role);
    if (heardAt === sentAt) return;
    // Usually, the heartbeat arrives with the response. This one did not, so the silence began when it was
    // sent.
    silentSince ??= sentAt;
    if (warned || sentAt - silentSince < silenceLimit) return;
    warned = true;
    onError(new Error(unheard));
  }

  async function listen(): Promise<void> {
    // Without this timeout, a dead connection would cause no error and would never be replaced.
    const client = await connectTo(hosts, onError, { query_timeout: roundTripLimit });
    if (closed) {
      client.connection.stream.destroy();
      return;
    }
    client.on("notification", onNotice);
    listening = client;
    if (!known) await refuseTransactionPooler(client, hosts);
    known = true;
    // Heartbeats need not survive a crash, so they do not wait for the disk or a standby.
    await client.query(`SET synchronous_commit = off; LISTEN ${changeChannel}; LISTEN ${ownChannel}`);
    // Changes before the connection listened are unknown.
    forget();
    await sendBeat(client);
  }

  function complain(error: Error): void {
    if (performance.now() - complainedAt <= complaintInterval) return;
    complainedAt = performance.now();
    onError(error);
  }

  function lose(error: unknown): void {
    const isOtherRole = error instanceof UnavailableError && error.kind === "read_only";
    if (listening !== undefined && isOtherRole) hosts.leave(hosts.current());
    // If this connection died silently, other connections of the same age may be dead too.
    if (listening !== undefined && (isOtherRole || fellSilent(error))) onLost();
    // A dead server would not respond to a request to close the connection.
    listening?.connection.stream.destroy();
    listening = undefined;
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      try {
        if (listening === undefined) await listen();
        else await sendBeat(listening);
        isFull = false;
      } catch (error) {
        const known = asUnavailable(error) as Error;
        isFull = known instanceof UnavailableError && known.kind === "full";
        if (!closed) complain(known);
        // If the database is full, the connection itself still works.
        if (!closed && !isFull) lose(error);
      }
      if (!closed) schedule();
    }, heartbeatInterval);
    timer.unref();
  }

  try {
    await listen();
  } catch (error) {
    listening?.connection.stream.destroy();
    throw error;
  }
  schedule();
  return {
    isCurrent: (): boolean => performance.now() - heardAt < heartbeatLimit,
    async close() {
      closed = true;
      clearTimeout(timer);
      const last = listening;
      listening = undefined;
      await last?.end().catch(() => {});
    },
  };
}

const unheard =
  "PostgreSQL responds, but its notifications do not arrive, so this server works without caches, which is slow; connect to PostgreSQL directly or through a pooler in session mode, not in transaction mode";
