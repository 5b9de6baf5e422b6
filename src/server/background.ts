import { UnavailableError } from "../errors.ts";
import type { Log } from "../ops/log.ts";
import type { Audit, Clients, Codes, Housekeeping, Keys, Rows, Tokens } from "../storage/ports.ts";
import type { Retention } from "../storage/sweep/conditions.ts";

/**
 * In milliseconds. A killed process loses the rows that requests queued since the last write, such as token
 * uses and audit events.
 */
export const flushInterval = 1000;
const sweepInterval = 1000;
/** In milliseconds, for slow tasks such as deleting users. */
const keyInterval = 60_000;

const mailInterval = 10_000;

/** In milliseconds. Readers of the event feed must see an event within 300 ms. */
const numberingInterval = 100;

/** In milliseconds. Apps must receive a logout token within a second. */
const deliveryInterval = 300;

const betweenErrors = 60_000;

const nothing = async (): Promise<unknown> => undefined;

interface BackgroundWork {
  readonly removeDueUsers?: (now: Date) => Promise<unknown>;
  readonly revokeStoredTokens?: (signal: AbortSignal) => Promise<unknown>;
  readonly sendOutbox?: () => Promise<unknown>;
  readonly followRecoveries?: (now: Date) => Promise<unknown>;
  readonly learnForeignHashes?: () => Promise<unknown>;
  readonly sendDeliveries?: (signal: AbortSignal) => Promise<unknown>;
  readonly pumpSignals?: () => Promise<unknown>;
  readonly notifyOfExpired?: (now: Date) => Promise<unknown>;
  readonly numberEvents?: () => Promise<unknown>;
  readonly streamAudit?: readonly (() => Promise<unknown>)[];
  readonly sealAnew?: (signal: AbortSignal) => Promise<unknown>;
}

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
    streamAudit = [],
    sendDeliveries,
    notifyOfExpired = nothing,
    pumpSignals,
    numberEvents,
  }: BackgroundWork = {},
) {
  const settled = settledClock(now);
  let stopped = false;
  const ending = new AbortController();
  let swept: Date | undefined;
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  function repeat(what: string, interval: number, work: () => Promise<unknown>): void {
    const { failed, worked } = failuresOf(what, log);
    function next(): void {
      const timer = setTimeout(() => {
        timers.delete(timer);
        const turn = work()
          .then(worked, failed)
          .then(() => {
            underWay.delete(turn);
            if (!stopped) next();
          });
        underWay.add(turn);
      }, interval);
      timer.unref();
      timers.add(timer);
    }
    next();
  }

  /** A slow remote host must not delay the stop of the server. */
  const untilStop = (work: (signal: AbortSignal) => Promise<unknown>) => () =>
    untilAborted(work(ending.signal), ending.signal).catch((error) => {
      if (error !== ending.signal.reason) throw error;
    });

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
  // Stopping early loses no events: unsent events stay marked in the database.
  for (const pass of streamAudit) repeat("streaming audit events", flushInterval, untilStop(pass));
  if (numberEvents !== undefined) repeat("numbering events", numberingInterval, numberEvents);
  if (pumpSignals !== undefined) repeat("queuing events for signal streams", flushInterval, pumpSignals);
  if (sendDeliveries !== undefined) {
    // Stopping early loses no deliveries: another process takes over an unfinished one when its lease ends.
    repeat("sending deliveries", deliveryInterval, untilStop(sendDeliveries));
  }
  repeat("sweeping expired rows", sweepInterval, async () => {
    const at = now();
    await store.sweepSome(settled(), { retention });
    swept = at;
  });
  repeat("revoking tokens of ended records", sweepInterval, () => store.markEndedTokens(ending.signal));
  repeat("removing expired keys", keyInterval, () => store.removeExpiredSigningKeys(settled()));
  repeat("notifying apps of expired sessions", keyInterval, () => notifyOfExpired(settled()));
  repeat("deleting accounts", keyInterval, () => removeDueUsers(settled()));
  // A request to a provider that the shutdown interrupts counts as failed and is repeated later.
  repeat("revoking tokens at providers", keyInterval, untilStop(revokeStoredTokens));
  repeat("processing recoveries", keyInterval, () => followRecoveries(settled()));
  repeat("re-encrypting values", keyInterval, () => sealAnew(ending.signal));
  repeat("measuring imported hashes", keyInterval, learnForeignHashes);
  repeat("sending stored emails", mailInterval, sendOutbox);
  repeat("removing unused clients", keyInterval, () =>
    store.sweepOpenClients(settled(), { addresses: retention.addresses }),
  );

  return {
    sweptAt: (): Date | undefined => swept,
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

/** Logs failures of repeated work: the first one, then at most one a minute, and the next success. */
export function failuresOf(what: string, log: Log) {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let isKnown = false;
  return {
    failed(err: unknown): void {
      failures += 1;
      if (performance.now() - loggedAt < betweenErrors) return;
      const facts = err instanceof UnavailableError ? { fault: err.kind, reason: err.message } : { err };
      log.error({ ...facts, failures }, `${what} failed and will be retried`);
      loggedAt = performance.now();
      failures = 0;
      isKnown = true;
    },
    worked(): void {
      if (isKnown) log.info({ failures }, `${what} works again`);
      isKnown = false;
    },
  };
}

/**
 * Returns the result of the promise, or rejects with the signal's reason as soon as the signal aborts.
 * `Promise.race` with a signal that lives as long as the process would leak memory.
 */
export async function untilAborted<R>(work: Promise<R>, signal: AbortSignal): Promise<R> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Milliseconds after which a forward jump of the clock is believed. */
const believedAfter = 3_600_000;
/** Milliseconds by which the clock may advance more than the monotonic clock without counting as a jump. */
const tolerance = 60_000;

/**
 * Returns a clock for deletions, which cannot be undone. It ignores a forward jump for an hour, so that a
 * clock error corrected within the hour deletes nothing (docs/decisions/operations.md). `steady` returns
 * monotonic milliseconds.
 */
export function settledClock(now: () => Date, steady: () => number = () => performance.now()): () => Date {
  let believed = now().getTime();
  let looked_at = steady();
  let ahead_since: number | undefined;
  return () => {
    const at = steady();
    const expected = believed + (at - looked_at);
    const current = now().getTime();
    looked_at = at;
    if (current - expected <= tolerance) ahead_since = undefined;
    else ahead_since ??= at;
    const isBelieved = ahead_since === undefined || at - ahead_since >= believedAfter;
    if (isBelieved) ahead_since = undefined;
    believed = isBelieved ? current : expected;
    return new Date(believed);
  };
}
