/** Signed messages to other programs (Standard Webhooks 1.0, symmetric signatures). */
import { createHmac } from "node:crypto";

const prefix = "whsec_";

/**
 * Returns the headers of one message: its ID, the time of sending in seconds, and the HMAC-SHA256 of ID,
 * time and body under a secret such as `whsec_…`. Receivers compare the signature and reject old times.
 */
export function webhookHeaders(
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
  secret: string,
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const time = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
}
