import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import type { Words } from "../../web/words/words.ts";
import { filledQuickstart } from "../apps/quickstart_text.view.ts";
import { snippetBlock } from "../apps/snippet_block.view.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";

const list = resourceTypeHref("webhook_endpoints");

interface EndpointCard {
  readonly id: string;
  readonly active: boolean;
  readonly position: number;
  readonly types: readonly string[];
  readonly csrf_token?: string | undefined;
}

const programs = [
  ["node", "webhook_node.js"],
  ["python", "webhook_python.py"],
  ["go", "webhook_go.go"],
] as const;

/** Renders the actions of a webhook endpoint and code that verifies its requests (EV-7). */
export function endpointCards(
  { id, active, position, types, csrf_token }: EndpointCard,
  { webhooks: words }: Words,
): readonly Html[] {
  const form = (verb: string, body: Html, label: string) =>
    html`<form method="post" action="${list}/${id}/${verb}">${hiddenFields({ csrf_token: csrf_token ?? "" })}${body}<button class="button" type="submit">${label}</button></form>`;
  const activation = html`<section class="card" aria-labelledby="activate"><div><h2 id="activate">${words.activate}</h2></div>
${notice("caution", words.stopped(position))}
<div class="actions">${form("activate", hiddenFields({ resume: "kept" }), words.resumeKept)}${form("activate", hiddenFields({ resume: "now" }), words.resumeNow)}</div></section>`;
  const input = (name: string, label: string, kind: Html) =>
    html`<p><label for="replay-${name}">${label}</label><input id="replay-${name}" name="${name}" ${kind}></p>`;
  const replay = html`<section class="card" aria-labelledby="replay"><div><h2 id="replay">${words.replay}</h2><p class="quiet">${words.replayLead}</p></div>
${form(
  "replay",
  html`${input("event_id", words.eventId, html`spellcheck="false"`)}${input("since", words.since, html`type="datetime-local"`)}${input("after", words.after, html`type="number" min="0"`)}<p><label for="replay-types">${words.ofType}</label><select id="replay-types" name="types"><option value="">–</option>${types.map((type) => html`<option value="${type}">${type}</option>`)}</select></p>`,
  words.sendAgain,
)}</section>`;
  const code = html`<section class="card" aria-labelledby="verify"><div><h2 id="verify">${words.verify}</h2><p class="quiet">${words.verifyLead}</p></div>
${programs.map(([stack, file]) => html`<details${stack === "node" && html` open`}><summary><h3>${words.kinds[stack]}</h3></summary>${snippetBlock("", filledQuickstart(file))}</details>`)}</section>`;
  return [
    ...(csrf_token !== undefined && !active ? [activation] : []),
    ...(csrf_token !== undefined ? [replay] : []),
    code,
  ];
}
