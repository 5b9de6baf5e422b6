import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Returns the event in a webhook request. `body` is the raw request body. Throws an Error if the request is
 * not authentic or too old.
 */
export function verifyWebhook(headers, body, secret) {
  const id = headers["webhook-id"];
  const time = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) throw new Error("not sent now");
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest();
  const isGenuine = String(headers["webhook-signature"])
    .split(" ")
    .map((each) => Buffer.from(each.replace("v1,", ""), "base64"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  if (!isGenuine) throw new Error("wrong signature");
  return JSON.parse(body);
}
