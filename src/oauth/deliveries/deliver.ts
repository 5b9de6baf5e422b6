/**
 * Sends the deliveries of the outbox in the background. Limits per target and per organization prevent one
 * target or organization from occupying all connections (FO-3).
 */
import { setImmediate as giveWay, setTimeout as wait } from "node:timers/promises";
import { SealError } from "../../crypto/sealing.ts";
import { OverloadedError, UnavailableError } from "../../errors.ts";
import type { Outbound, OutboundAnswer, OutboundErrorKind } from "../../outbound/outbound.ts";
import type { DeliveryKindName } from "../../records/names/deliveries.ts";
import { lastMoment } from "../../records/names/liveness.ts";
import { faultShownTo, type noAllowedAddress } from "../../records/rules/outbound_reach.ts";
import type { AttemptResult } from "../../storage/operation/deliveries.ts";
import { allDeliveryKinds } from "./all_kinds.ts";
import type { Delivery, DeliveryContext, DeliveryKind, DeliveryOutcome } from "./delivery_kind.ts";

export const mostDeliveries = 32;
const mostOfTarget = 4;
const mostOfOrganization = 8;
/**
 * Maximum number of concurrent attempts for targets whose last attempt failed, so they cannot occupy all
 * connections.
 */
const mostOfFailing = 16;

/**
 * Milliseconds between the starts of two attempts; `betweenFailing` applies to failing targets. An attempt
 * takes about a millisecond of the thread that answers users, so many at once would delay a sign-in.
 */
const betweenAttempts = 2;
const betweenFailing = 10;

/**
 * Maximum number of failing targets that are remembered. Each query for due deliveries may list all of them.
 */
const mostRemembered = 1000;

/** Milliseconds until the next attempt of a paused delivery. */
const pauseOfPaused = 300_000;

/** No retry can fix these errors. */
const lasting: ReadonlySet<string> = new Set<OutboundErrorKind>(["not_a_url", "has_user_info"]);

const hints: { readonly [Kind in OutboundErrorKind | typeof noAllowedAddress]?: string } = {
  no_allowed_address: "the host name has no address, or one that is not public",
  not_https: "http is sent only to private addresses in POSTERN_OUTBOUND_ALLOW",
  tls: "the certificate or its name is not accepted",
  timeout: "no response in time",
  unresolved: "the host name has no address",
  too_large: "the response headers are too large, so the response was not read",
};

const droppedHints = {
  too_large: "only the status was used, because the response body is too large",
  encoded: "only the status was used, because the response body is compressed",
  unfinished: "only the status was used, because the response body did not end in time or was cut off",
} as const;

function faultOf(kind: OutboundErrorKind, organization_id: string | null, permitted_by?: string): string {
  const name = faultShownTo(organization_id, kind);
  const hint =
    name === "internal_address" && permitted_by !== undefined
      ? `a private address requires ${permitted_by}, which a platform administrator sets, and an entry in POSTERN_OUTBOUND_ALLOW`
      : hints[name];
  return hint === undefined ? name : `${name}: ${hint}`;
}

export interface Deliverer extends DeliveryContext {
  /** `internal` also reaches the private addresses that the operator allows. */
  readonly outbound: Readonly<Record<"public" | "internal", Outbound>>;
  readonly onOutcome?: (kind: DeliveryKindName, outcome: DeliveryOutcome) => void;
  readonly onError?: (error: unknown) => void;
}

type Tried =
  | { readonly answer: OutboundAnswer }
  | { readonly answer?: undefined; readonly fault: string; readonly lasts: boolean };

/** Rethrows the error if the database is unavailable, because the fault could not be stored. */
function faultOfBuilding(error: unknown): string {
  if (error instanceof UnavailableError) throw error;
  if (error instanceof OverloadedError) return "signer_unavailable: the signer does not respond";
  const isOfTarget = error instanceof SealError && error.purpose !== "signing_key";
  return isOfTarget
    ? "secret_unreadable: replace the secret, or restore its key in POSTERN_SECRET_KEY"
    : "internal: the server's log has the error";
}

async function tryOnce(delivery: Delivery, deliverer: Deliverer): Promise<Tried | "held" | "paused"> {
  const { outbound, onError } = deliverer;
  const kind = allDeliveryKinds[delivery.kind];
  let attempt: Awaited<ReturnType<DeliveryKind["attempt"]>>;
  try {
    attempt = await kind.attempt(delivery, deliverer);
  } catch (error) {
    const fault = faultOfBuilding(error);
    onError?.(error);
    return { fault, lasts: false };
  }
  if (attempt === undefined) return { fault: "no_receiver", lasts: true };
  if (attempt === "held" || attempt === "paused") return attempt;
  const { internal, ...sent } = attempt;
  const request = { method: "POST", ...sent, accept: "application/json", timeout: kind.timeout } as const;
  try {
    const way = internal ? outbound.internal : outbound.public;
    return { answer: await way.send({ ...request, max_bytes: kind.max_bytes, cut: true }) };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "OutboundError") throw error;
    const { kind: name } = error as Error & { readonly kind: OutboundErrorKind };
    return { fault: faultOf(name, delivery.organization_id, kind.permitted_by), lasts: lasting.has(name) };
  }
}

export async function deliver(
  claimed: Delivery,
  deliverer: Deliverer,
  signal?: AbortSignal,
): Promise<DeliveryOutcome | undefined> {
  const { server, onOutcome } = deliverer;
  const { store } = server;
  const tried = await tryOnce(claimed, deliverer);
  // A process that is stopping stores nothing. The delivery is attempted again when the claim of this process
  // expires.
  if (signal?.aborted) return undefined;
  if (tried === "held") {
    await store.postponeDelivery(claimed, claimed, lastMoment, server.now());
    return tried;
  }
  if (tried === "paused") {
    // No request was made, so the attempt does not count.
    const unchanged = { ...claimed, attempt: claimed.attempt - 1 };
    await store.postponeDelivery(
      unchanged,
      unchanged,
      new Date(server.now().getTime() + pauseOfPaused),
      server.now(),
    );
    return "postponed";
  }
  const kind = allDeliveryKinds[claimed.kind];
  const result: AttemptResult =
    tried.answer !== undefined
      ? { last_status: tried.answer.status, last_fault: faultIn(tried.answer, kind) }
      : { last_status: null, last_fault: tried.fault };
  const now = server.now();
  const pause = kind.pauseAfter(claimed, now, tried.answer);
  const usual = outcomeOf(tried, kind, pause);
  const outcome = await outcomeAfter(claimed, usual, tried.answer, deliverer);
  if (outcome === "held") {
    // The target was disabled, and its deliveries wait until it is enabled again.
  } else if (outcome === "postponed")
    await store.postponeDelivery(claimed, result, new Date(now.getTime() + (pause ?? 0)), now);
  else await store.finishDelivery(claimed, outcome, result, now);
  onOutcome?.(claimed.kind, outcome);
  return outcome;
}

async function outcomeAfter(
  delivery: Delivery,
  usual: DeliveryOutcome,
  answer: OutboundAnswer | undefined,
  deliverer: Deliverer,
): Promise<DeliveryOutcome> {
  try {
    return (await allDeliveryKinds[delivery.kind].after?.(delivery, usual, answer, deliverer)) ?? usual;
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    deliverer.onError?.(error);
    return usual;
  }
}

function faultIn(answer: OutboundAnswer, kind: DeliveryKind): string | null {
  const { dropped } = answer;
  return kind.faultOf(answer) ?? (dropped === undefined ? null : `${dropped}: ${droppedHints[dropped]}`);
}

function outcomeOf(tried: Tried, kind: DeliveryKind, pause: number | undefined): DeliveryOutcome {
  if (tried.answer !== undefined && kind.isDone(tried.answer)) return "done";
  if (tried.answer !== undefined ? !kind.isTemporary(tried.answer) : tried.lasts) return "failed";
  return pause === undefined ? "given_up" : "postponed";
}

/** The calls resolve at least `pause` milliseconds apart and in separate turns of the event loop. */
function inPace(pause: number): () => Promise<unknown> {
  let next: Promise<unknown> = Promise.resolve();
  return () => {
    const turn = next;
    next = turn.then(() => wait(pause)).then(() => giveWay());
    return turn;
  };
}

/**
 * Returns a function that starts the attempts that are due, without waiting until they end. After the signal
 * has aborted, no attempt starts and nothing is stored.
 */
export function deliveriesOf(deliverer: Deliverer): (signal: AbortSignal) => Promise<void> {
  const { store, now } = deliverer.server;
  const process_id = crypto.randomUUID();
  const underWay = new Set<Delivery>();
  const failing = new Set<string>();
  const paces = { usual: inPace(betweenAttempts), failing: inPace(betweenFailing) };
  let claiming: Promise<void> | undefined;
  let wanted = false;

  const countOf = (all: readonly Delivery[], which: (each: Delivery) => boolean) => all.filter(which).length;
  const hasFailed = ({ target_id }: Delivery) => failing.has(target_id);

  /** Returns the targets that must wait because `all` already reach a limit that applies to `each`. */
  function fullWith(each: Delivery, all: readonly Delivery[]): Iterable<string> {
    const { target_id, organization_id } = each;
    if (hasFailed(each) && countOf(all, hasFailed) >= mostOfFailing) return failing;
    const isFull =
      countOf(all, (other) => other.target_id === target_id) >= mostOfTarget ||
      (organization_id !== null &&
        countOf(all, (other) => other.organization_id === organization_id) >= mostOfOrganization);
    return isFull ? [target_id] : [];
  }

  function note({ target_id }: Delivery, outcome: DeliveryOutcome | undefined): void {
    if (outcome === "done") failing.delete(target_id);
    else if (failing.size < mostRemembered) failing.add(target_id);
  }

  async function begin(due: readonly Delivery[], signal: AbortSignal): Promise<readonly Delivery[]> {
    const all = await store.claimDeliveries(due, process_id, now());
    for (const claimed of all) {
      underWay.add(claimed);
      paces[hasFailed(claimed) ? "failing" : "usual"]()
        .then(() => (signal.aborted ? undefined : deliver(claimed, deliverer, signal)))
        .then((outcome) => note(claimed, outcome))
        // A delivery whose outcome was not stored, or whose request a shutdown aborted, is attempted again
        // when the claim of this process expires.
        .catch((error) => (signal.aborted ? undefined : deliverer.onError?.(error)))
        .then(() => {
          underWay.delete(claimed);
          return signal.aborted ? undefined : pass(signal);
        })
        .catch(() => undefined);
    }
    const ids = new Set(all.map(({ id }) => id));
    return due.filter(({ id }) => !ids.has(id));
  }

  async function claimAll(signal: AbortSignal): Promise<void> {
    const passed_over = new Set<string>();
    const isFull = (each: Delivery, all: readonly Delivery[]): boolean => {
      const full = [...fullWith(each, all)];
      for (const target_id of full) passed_over.add(target_id);
      return full.length > 0;
    };
    for (const each of underWay) isFull(each, [...underWay]);
    while (!signal.aborted && underWay.size < mostDeliveries) {
      const due = await store.dueDeliveries(now(), mostDeliveries, [...passed_over]);
      if (due.length === 0) return;
      const chosen: Delivery[] = [];
      for (const each of due) {
        const all = [...underWay, ...chosen];
        if (all.length >= mostDeliveries) break;
        if (!isFull(each, all)) chosen.push(each);
      }
      // Another process has claimed the deliveries of these targets, or another transaction has locked their
      // rows.
      for (const { target_id } of await begin(chosen, signal)) passed_over.add(target_id);
    }
  }

  async function pass(signal: AbortSignal): Promise<void> {
    wanted = true;
    claiming ??= (async () => {
      try {
        while (wanted && !signal.aborted) {
          wanted = false;
          try {
            await store.fillWebhooks(now());
          } finally {
            // If events cannot be queued for an endpoint, deliveries that are already due are still sent.
            await claimAll(signal);
          }
        }
      } finally {
        claiming = undefined;
      }
    })();
    return claiming;
  }

  return pass;
}
