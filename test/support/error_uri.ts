/**
 * The `error_uri` of a refusal is different each time, so it is checked for its form and removed before
 * answers are compared.
 */
import assert from "node:assert/strict";
import { issuer } from "./authorization_server.ts";

const shortId = "[0-9A-HJKMNP-TV-Z]{10}";

/** Returns the short id in the URL that explains a refusal. */
export function shortIdIn(error_uri: unknown, base_url: string = issuer): string {
  const [base, id = ""] = String(error_uri).split("/console/refusals/");
  assert.equal(base, base_url);
  assert.match(id, new RegExp(`^${shortId}$`));
  return id;
}

/**
 * Returns the members of a refusal in JSON or in a redirect without its `error_uri`, which must be present.
 */
export function withoutErrorUri(
  refusal: Readonly<Record<string, unknown>> | URLSearchParams,
): Record<string, unknown> {
  const members = refusal instanceof URLSearchParams ? Object.fromEntries(refusal) : refusal;
  const { error_uri, ...rest } = members;
  shortIdIn(error_uri);
  return rest;
}

/** Returns a page without its reference to the refusal, which must be present. */
export function withoutReference(page: string): string {
  const shown = /[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}/g;
  assert.equal(page.match(shown)?.length, 1, "the page shows one reference");
  return page.replace(shown, "").replace(new RegExp(`/console/refusals/${shortId}`), "");
}
