/**
 * Sends what waits in the outbox. Deliveries have connections of their own, so that no request of a sign-in
 * waits for them; each target and organization has a share (FO-3).
 */
import type { Outbound, OutboundAnswer, OutboundErrorKind } from "../../outbound/outbound.ts";
import { type DeliveryKindName, deliveryLifetime } from "../../records/names/deliveries.ts";
import type { AttemptResult } from "../../storage/operation/deliveries.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { allDeliveryKinds } from "./all_kinds.ts";
import type { Delivery } from "./delivery_kind.ts";

/** Concurrent attempts in a process. */
export const mostDeliveries = 32;
const mostOfTarget = 4;
const mostOfOrganization = 8;

/** Milliseconds of one attempt: shorter than its lease. */
const timeout = 5000;

const minute = 60_000;
/** Milliseconds after each failed attempt until the next one; the last again and again. */
const pauses = [minute / 6, minute, 5 * minute, 30 * minute, 120 * minute] as const;
const longestPause = 360 * minute;

/** Errors of a request that no retry can fix. */
const lasting: ReadonlySet<string> = new Set<OutboundErrorKind>([
  "not_a_url",
  "has_user_info",
  "too_large",
  "encoded",
]);

/** The details of an error in addition to its name. */
const remedies: { readonly [K in OutboundErrorKind]?: string } = {
  internal_address:
    "internal_address: a platform administrator sets backchannel_logout_internal, and POSTERN_OUTBOUND_ALLOW names the address",
  not_https: "not_https: http is sent only to private addresses in POSTERN_OUTBOUND_ALLOW",
};

export type DeliveryOutcome = "done" | "failed" | "given_up" | "postponed";

export interface Deliverer {
  readonly server: AuthorizationServer;
  /** The ways out: `internal` also reaches the private addresses that the operator allows. */
  readonly outbound: Readonly<Record<"public" | "internal", Outbound>>;
  readonly onOutcome?: (kind: DeliveryKindName, outcome: DeliveryOutcome) => void;
}

/** The answer to an attempt, or what kept it from being made. */
type Tried = { readonly answer: OutboundAnswer } | { readonly fault: string; readonly lasts: boolean };

async function tryOnce(delivery: Delivery, { server, outbound }: Deliverer): Promise<Tried> {
  const kind = allDeliveryKinds[delivery.kind];
  const attempt = await kind.attempt(delivery, server);
  if (attempt === undefined) return { fault: "no_receiver", lasts: true };
  const { url, body, internal, authorization } = attempt;
  const request = {
    ...({ method: "POST", url, body, accept: "application/json", timeout } as const),
    ...(authorization !== undefined && { authorization }),
  };
  try {
    const way = internal ? outbound.internal : outbound.public;
    return { answer: await way.send({ ...request, max_bytes: kind.max_bytes, cut: kind.cut }) };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "OutboundError") throw error;
    const { kind: name } = error as Error & { readonly kind: OutboundErrorKind };
    return { fault: remedies[name] ?? name, lasts: lasting.has(name) };
  }
}

/** Makes one attempt that was claimed, and writes what came of it. */
export async function deliver(
  claimed: Delivery,
  deliverer: Deliverer,
  signal?: AbortSignal,
): Promise<DeliveryOutcome | undefined> {
  const { server, onOutcome } = deliverer;
  const { store } = server;
  const tried = await tryOnce(claimed, deliverer);
  // A process that stops leaves the row to the end of its lease.
  if (signal?.aborted) return undefined;
  const kind = allDeliveryKinds[claimed.kind];
  const result: AttemptResult =
    "answer" in tried
      ? { last_status: tried.answer.status, last_fault: kind.faultOf(tried.answer) }
      : { last_status: null, last_fault: tried.fault };
  const now = server.now();
  const again = new Date(now.getTime() + (pauses[claimed.attempt - 1] ?? longestPause));
  const outcome = outcomeOf(tried, claimed, again);
  if (outcome === "postponed") await store.postponeDelivery(claimed, result, again);
  else await store.finishDelivery(claimed, outcome, result, now);
  onOutcome?.(claimed.kind, outcome);
  return outcome;
}

function outcomeOf(tried: Tried, { kind: name, created_at }: Delivery, again: Date): DeliveryOutcome {
  const kind = allDeliveryKinds[name];
  if ("answer" in tried && kind.isDone(tried.answer)) return "done";
  if ("answer" in tried ? !kind.isTemporary(tried.answer) : tried.lasts) return "failed";
  return again.getTime() > created_at.getTime() + deliveryLifetime ? "given_up" : "postponed";
}

/**
 * A function that begins the attempts that are due and returns without waiting for them; each one that ends
 * makes room for the next. Nothing more begins, and nothing is written, once the signal is given.
 */
export function deliveriesOf(deliverer: Deliverer): (signal: AbortSignal) => Promise<void> {
  const { store, now } = deliverer.server;
  const process_id = crypto.randomUUID();
  const underWay = new Set<Delivery>();
  let claiming: Promise<void> | undefined;
  let wanted = false;

  const isFull = ({ target_id, organization_id }: Delivery): boolean => {
    const all = [...underWay];
    return (
      all.filter((each) => each.target_id === target_id).length >= mostOfTarget ||
      (organization_id !== null &&
        all.filter((each) => each.organization_id === organization_id).length >= mostOfOrganization)
    );
  };

  async function begin(due: Delivery, signal: AbortSignal): Promise<void> {
    const claimed = await store.claimDelivery(due, process_id, now());
    if (claimed === undefined) return;
    underWay.add(claimed);
    deliver(claimed, deliverer, signal)
      // Failures of the database or a key are retried after the lease.
      .catch(() => undefined)
      .then(() => {
        underWay.delete(claimed);
        return signal.aborted ? undefined : pass(signal);
      })
      .catch(() => undefined);
  }

  async function claimAll(signal: AbortSignal): Promise<void> {
    const passed_over = new Set<string>();
    for (const { target_id, ...each } of underWay) {
      if (isFull({ target_id, ...each })) passed_over.add(target_id);
    }
    while (!signal.aborted && underWay.size < mostDeliveries) {
      const due = await store.dueDeliveries(now(), mostDeliveries, [...passed_over]);
      if (due.length === 0) return;
      for (const each of due) {
        if (signal.aborted || underWay.size >= mostDeliveries) return;
        if (isFull(each)) passed_over.add(each.target_id);
        else await begin(each, signal);
      }
    }
  }

  async function pass(signal: AbortSignal): Promise<void> {
    wanted = true;
    claiming ??= (async () => {
      try {
        while (wanted && !signal.aborted) {
          wanted = false;
          await claimAll(signal);
        }
      } finally {
        claiming = undefined;
      }
    })();
    return claiming;
  }

  return pass;
}
