import type { OutboundAnswer } from "../../outbound/outbound.ts";
import type { Row } from "../../records/definition/definition.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { DeliveryKindName } from "../../records/names/deliveries.ts";
import type { OnDisabled } from "../../storage/operation/webhooks.ts";
import type { AuthorizationServer } from "../core/server.ts";

export type Delivery = Row<"deliveries">;

interface Attempt {
  readonly url: string;
  readonly body: { readonly type: string; readonly text: string };
  readonly headers?: Readonly<Record<`webhook-${string}`, string>>;
  readonly internal: boolean;
  readonly authorization?: string;
}

/** `held`: the target receives nothing until it is resumed, and the delivery waits. */
export type DeliveryOutcome = "done" | "failed" | "given_up" | "postponed" | "held";

export interface DeliveryContext {
  readonly server: AuthorizationServer;
  /**
   * Returns the record that an event is about, as the API now shows it to the endpoint's owner; undefined if
   * the owner may not read it.
   */
  readonly recordFor?: (
    endpoint: Row<"webhook_endpoints">,
    event: Row<"events">,
  ) => Promise<PublicView | undefined>;
  /** Called in the transaction that disables a target. */
  readonly onDisabled?: OnDisabled;
}

export interface DeliveryKind {
  readonly name: DeliveryKindName;
  /**
   * Undefined if there is nothing to send or no target, so the delivery fails. `held` if nothing is to be
   * sent until the target is resumed, and `paused` if the outbox should try again later.
   */
  attempt(delivery: Delivery, context: DeliveryContext): Promise<Attempt | "held" | "paused" | undefined>;
  /** Milliseconds. */
  readonly timeout: number;
  /** The field of the target that permits private addresses, if there is one. */
  readonly permitted_by?: string;
  readonly max_bytes: number;
  isDone(answer: OutboundAnswer): boolean;
  isTemporary(answer: OutboundAnswer): boolean;
  faultOf(answer: OutboundAnswer): string | null;
  /** Returns the milliseconds until the next attempt; undefined if this was the last attempt. */
  pauseAfter(delivery: Delivery, now: Date, answer: OutboundAnswer | undefined): number | undefined;
  /**
   * Called before the outcome of an attempt is stored; the returned outcome replaces it. If the returned
   * outcome is `held`, nothing is stored.
   */
  after?(
    delivery: Delivery,
    outcome: DeliveryOutcome,
    answer: OutboundAnswer | undefined,
    context: DeliveryContext,
  ): Promise<DeliveryOutcome>;
}
