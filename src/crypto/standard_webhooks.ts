/** Signs messages as specified by Standard Webhooks 1.0 (symmetric signatures). */
import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString("base64")}`;

export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(prefix.length);
  const key = Buffer.from(encoded, "base64");
  const isWhole = text.startsWith(prefix) && key.toString("base64") === encoded;
  return isWhole && key.length >= 24 && key.length <= 64;
}

/** Returns the signature headers of a message. */
export function webhookHeaders(
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
  ...secrets: readonly string[]
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const time = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures.join(" ") };
}
