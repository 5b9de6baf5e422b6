/** The server's work beside answering: it writes queued rows and deletes expired ones. */
import type { Log } from "../ops/log.ts";
import type { Audit, Clients, Codes, Housekeeping, Keys, Rows, Tokens } from "../storage/ports.ts";
import type { Retention } from "../storage/sweep/conditions.ts";
import { settledClock } from "./settled_clock.ts";
import { untilAborted } from "./until_aborted.ts";

/**
 * Milliseconds between two writes of queued uses, events, refusals and counts: a killed process loses that
 * much of them.
 */
export const flushInterval = 1000;
/** Milliseconds between two small sweeps. */
const sweepInterval = 1000;
/**
 * Milliseconds between two looks for keys that left the key set, unused clients, accounts to delete, tokens
 * to revoke at providers, recoveries to follow, and values to be sealed anew.
 */
const keyInterval = 60_000;

/** Milliseconds between two looks for kept mails that are due. */
const mailInterval = 10_000;

const nothing = async (): Promise<unknown> => undefined;

export interface BackgroundWork {
  /** Removes the accounts that are due to be deleted at this moment. */
  readonly removeDueUsers?: (now: Date) => Promise<unknown>;
  /** Revokes tokens at providers whose links are gone; makes no more tries once the signal is given. */
  readonly revokeStoredTokens?: (signal: AbortSignal) => Promise<unknown>;
  /** Sends kept mails that are due. */
  readonly sendOutbox?: () => Promise<unknown>;
  /** Tells of recoveries that wait, and removes lost passkeys that are due at this moment. */
  readonly followRecoveries?: (now: Date) => Promise<unknown>;
  /** Learns how long hashes take that were imported meanwhile, by another process too. */
  readonly learnForeignHashes?: () => Promise<unknown>;
  /** Writes audit events that wait to go elsewhere too. */
  readonly streamAudit?: () => Promise<unknown>;
  /** Seals under the first key what another one sealed; ends soon once the signal is given. */
  readonly sealAnew?: (signal: AbortSignal) => Promise<unknown>;
}

/** Starts the background work. */
export function startBackground(
  store: Audit & Clients & Codes & Housekeeping & Keys & Rows & Tokens,
  log: Log,
  now: () => Date,
  retention: Retention,
  {
    removeDueUsers = nothing,
    revokeStoredTokens = nothing,
    sendOutbox = nothing,
    followRecoveries = nothing,
    sealAnew = nothing,
    learnForeignHashes = nothing,
    streamAudit,
  }: BackgroundWork = {},
) {
  const settled = settledClock(now);
  let stopped = false;
  const ending = new AbortController();
  let swept: Date | undefined;
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  function repeat(what: string, interval: number, work: () => Promise<unknown>): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const turn = work()
        .catch((err) => log.error({ err }, `${what} failed and will be tried again`))
        .then(() => {
          underWay.delete(turn);
          if (!stopped) repeat(what, interval, work);
        });
      underWay.add(turn);
    }, interval);
    timer.unref();
    timers.add(timer);
  }

  /** The work, or nothing more of it from the stop on: a slow host outside holds up no stop. */
  const untilStop = (work: (signal: AbortSignal) => Promise<unknown>) => () =>
    untilAborted(work(ending.signal), ending.signal).catch((error) => {
      if (error !== ending.signal.reason) throw error;
    });

  /** The number of events left out of the audit and of the log is logged once a minute. */
  function settle(at: Date, all = false): void {
    for (const { event, by, more } of store.settleEvents(at, all)) {
      const facts = { event: event.type, more, left_out_by: by, client_ip: event.client_ip };
      log.warn(facts, "security events like this were counted instead of written");
    }
  }

  repeat("writing last uses, events, refusals and counts", flushInterval, async () => {
    settle(now());
    await store.flush();
  });
  if (streamAudit !== undefined) {
    // What a slow receiver has not taken is marked still.
    repeat("streaming audit events", flushInterval, untilStop(streamAudit));
  }
  repeat("sweeping expired rows", sweepInterval, async () => {
    const at = now();
    await store.sweepSome(settled(), { retention });
    swept = at;
  });
  repeat("marking tokens of ended records", sweepInterval, () => store.markEndedTokens(ending.signal));
  repeat("removing expired keys", keyInterval, () => store.removeExpiredSigningKeys(settled()));
  repeat("deleting accounts", keyInterval, () => removeDueUsers(settled()));
  // A try that is left counts as one that failed.
  repeat("revoking tokens at providers", keyInterval, untilStop(revokeStoredTokens));
  repeat("following recoveries", keyInterval, () => followRecoveries(settled()));
  repeat("sealing values anew", keyInterval, () => sealAnew(ending.signal));
  repeat("learning of imported hashes", keyInterval, learnForeignHashes);
  repeat("sending kept mails", mailInterval, sendOutbox);
  repeat("removing unused clients", keyInterval, () =>
    store.sweepOpenClients(settled(), { addresses: retention.addresses }),
  );

  return {
    /** When expired rows were last looked for without a failure. */
    sweptAt: (): Date | undefined => swept,
    /** Stops the work and resolves when the work under way has ended. */
    async stop() {
      stopped = true;
      ending.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underWay);
      settle(now(), true);
    },
  };
}

export type Background = ReturnType<typeof startBackground>;
