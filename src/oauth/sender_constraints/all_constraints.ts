import type { SenderConstraint } from "../server.ts";
import { dpop } from "./dpop.ts";

/** Each is offered where settings switch it on. */
export const allConstraints: readonly SenderConstraint[] = [dpop];
