/**
 * A browser's actions at a provider, and the form with which some providers answer (OAuth 2.0 Form Post
 * Response Mode).
 */
import type { Outbound } from "../../src/outbound/outbound.ts";
import type { UpstreamAnswer } from "../../src/providers/upstream.ts";

/** The data that the browser brings to the callback, and how. */
export type Brought = UpstreamAnswer & { readonly mode: "query" | "form_post" };

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const unescaped = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Returns a page whose form a script submits immediately. */
export function postedForm(action: string, parameters: Readonly<Record<string, string>>): string {
  const fields = Object.entries(parameters).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  return `<form method="post" action="${escaped(action)}">${fields.join("")}</form>`;
}

/** Goes to the provider, which immediately sends the browser back. */
export async function visitUpstream(outbound: Outbound, url: string): Promise<Brought> {
  const requested = { method: "GET", url, accept: "text/html", max_bytes: 10_000, timeout: 5000 } as const;
  const { headers, body } = await outbound.send(requested);
  const found = body.toString().matchAll(/name="([^"]*)" value="([^"]*)"/g);
  const fields = [...found].map(([, name = "", value = ""]) => [name, unescaped(value)] as const);
  if (fields.length > 0) return { ...Object.fromEntries(fields), mode: "form_post" };
  const back = new URL(String(headers.location));
  return { ...Object.fromEntries(back.searchParams), mode: "query" };
}
