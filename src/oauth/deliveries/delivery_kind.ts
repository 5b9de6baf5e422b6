/** The outbox's interface to a kind of delivery: a plain object in the list of `all_kinds.ts`. */
import type { OutboundAnswer } from "../../outbound/outbound.ts";
import type { Row } from "../../records/definition/definition.ts";
import type { DeliveryKindName } from "../../records/names/deliveries.ts";
import type { AuthorizationServer } from "../core/server.ts";

export type Delivery = Row<"deliveries">;

/** One attempt, built afresh each time. */
interface Attempt {
  readonly url: string;
  readonly body: { readonly type: string; readonly text: string };
  /** Whether it may go to the private addresses that the operator allows. */
  readonly internal: boolean;
  /** The header `Authorization`. */
  readonly authorization?: string;
}

export interface DeliveryKind {
  readonly name: DeliveryKindName;
  /** The request of this attempt; undefined if the target receives none. */
  attempt(delivery: Delivery, server: AuthorizationServer): Promise<Attempt | undefined>;
  /** Bytes of an answer. */
  readonly max_bytes: number;
  /** Whether the status of an answer counts whatever its body is. */
  readonly cut: boolean;
  isDone(answer: OutboundAnswer): boolean;
  /** Whether an unsuccessful response may succeed later. */
  isTemporary(answer: OutboundAnswer): boolean;
  /** The error in the answer, on one line; null if there is none. */
  faultOf(answer: OutboundAnswer): string | null;
}
