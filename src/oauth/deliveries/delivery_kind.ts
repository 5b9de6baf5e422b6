/** The outbox's interface to a kind of delivery: a plain object in the list of `all_kinds.ts`. */
import type { OutboundAnswer } from "../../outbound/outbound.ts";
import type { Row } from "../../records/definition/definition.ts";
import type { DeliveryKindName } from "../../records/names/deliveries.ts";
import type { OnDisabled } from "../../storage/operation/webhooks.ts";
import type { AuthorizationServer } from "../core/server.ts";

export type Delivery = Row<"deliveries">;

/** One attempt, built afresh each time. */
interface Attempt {
  readonly url: string;
  readonly body: { readonly type: string; readonly text: string };
  readonly headers?: Readonly<Record<`webhook-${string}`, string>>;
  /** Whether it may go to the private addresses that the operator allows. */
  readonly internal: boolean;
  /** The header `Authorization`. */
  readonly authorization?: string;
}

/** `held`: the target receives nothing now, and the delivery waits until it does. */
export type DeliveryOutcome = "done" | "failed" | "given_up" | "postponed" | "held";

/** What a kind needs after an attempt. */
export interface AfterAttempt {
  readonly server: AuthorizationServer;
  /** Called in the transaction that disables a target. */
  readonly onDisabled?: OnDisabled;
}

export interface DeliveryKind {
  readonly name: DeliveryKindName;
  /** The request of this attempt; undefined where the target receives none, `held` where it does not now. */
  attempt(delivery: Delivery, server: AuthorizationServer): Promise<Attempt | "held" | undefined>;
  /** Milliseconds of an attempt. */
  readonly timeout: number;
  /** The field that permits private addresses, if one does. */
  readonly permitted_by?: string;
  /** Bytes of an answer. */
  readonly max_bytes: number;
  isDone(answer: OutboundAnswer): boolean;
  /** Whether an unsuccessful response may succeed later. */
  isTemporary(answer: OutboundAnswer): boolean;
  /** The error in the answer, on one line; null if there is none. */
  faultOf(answer: OutboundAnswer): string | null;
  /** Milliseconds until the next attempt; undefined where this was the last. */
  pauseAfter(delivery: Delivery, now: Date, answer: OutboundAnswer | undefined): number | undefined;
  /** Called before an outcome is written; `held` leaves the row as it is. */
  after?(
    delivery: Delivery,
    outcome: DeliveryOutcome,
    answer: OutboundAnswer | undefined,
    context: AfterAttempt,
  ): Promise<DeliveryOutcome>;
}
