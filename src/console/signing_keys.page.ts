import type { SigningAlgorithm } from "../records/names/names.ts";
import { hiddenFields } from "../web/html/hidden_fields.ts";
import { type Html, html } from "../web/html/html.ts";
import { durationText } from "../web/measure.ts";
import { moment } from "../web/moment.ts";
import { controlId, durationInput } from "./fields/control.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./frame/console_frame.view.ts";
import { plainTable } from "./frame/plain_table.view.ts";

type ShownKey = {
  id: string;
  kid: string;
  algorithm: SigningAlgorithm;
  /**
   * A `next` key is published but does not sign yet. A `retired` key only verifies. An `expired` key is no
   * longer published.
   */
  state: "next" | "signing" | "retired" | "expired";
  created_at: Date;
  activates_at: Date;
  expires_at: Date | null;
};

type SigningKeysPage = ConsoleLocale & {
  keys: readonly ShownKey[];
  now: Date;
  /** The age in days at which a key should be rotated; undefined if none is due. */
  due_after: number | undefined;
  done: "created" | "deleted" | undefined;
};

const colours: Readonly<Record<ShownKey["state"], string>> = {
  next: "badge-caution",
  signing: "badge-success",
  retired: "",
  expired: "badge-quiet",
};

const rotatePath = `${resourceTypeHref("signing_keys")}/rotate`;

export function signingKeysPage(page: SigningKeysPage): Html {
  const { keys, now, due_after, done, words, language } = page;
  const said = words.server.keys;
  const resourceType = words.resourceTypes.signing_keys;
  const rotate = html`<a class="button primary" href="${rotatePath}">${said.rotate}</a>`;
  const seconds = (from: Date) => (now.getTime() - from.getTime()) / 1000;
  const columns = [said.key, said.state, said.age, said.signsFrom, said.leaves, said.algorithm, ""];
  const rows = keys.map(({ id, kid, algorithm, state, created_at, activates_at, expires_at }) => [
    html`<code>${kid}</code>`,
    html`<span class="badge ${colours[state]}">${said.states[state]}</span>`,
    said.madeAgo(durationText(seconds(created_at), language)),
    moment(activates_at, "minute", language),
    expires_at === null ? said.stays : moment(expires_at, "minute", language),
    html`<code>${algorithm}</code>`,
    html`<a href="${resourceTypeHref("signing_keys")}/${id}/delete" aria-label="${said.dropKey(kid)}">${said.drop}</a>`,
  ]);
  return consoleFrame({
    ...page,
    title: resourceType.many,
    here: "signing_keys",
    lead: resourceType.lead,
    actions: html`<a class="button" href="/.well-known/jwks.json">${said.keySet}</a>${rotate}`,
    done: done && (done === "created" ? said.rotated : said.dropped),
    body: html`${due_after !== undefined && html`<div class="notice notice-caution">${said.due(durationText(due_after * 86_400, language))}</div>`}
${
  rows.length > 0
    ? plainTable(
        columns.map((label) => ({ label })),
        rows,
      )
    : html`<div class="empty"><h2>${said.none}</h2><p class="lead">${said.noneLead}</p>${rotate}</div>`
}`,
  });
}

type RotationPage = ConsoleLocale & {
  csrf_token: string;
  /** A number with a unit, such as `10 min`. */
  activates_in: string;
  algorithm: SigningAlgorithm;
  algorithms: readonly SigningAlgorithm[];
  error: boolean;
  /** The default of `activates_in` in seconds; `least` and `most` are its limits. */
  usual: number;
  least: number;
  most: number;
  replaces: boolean;
};

export function rotationPage(page: RotationPage): Html {
  const {
    csrf_token,
    activates_in,
    algorithm,
    algorithms,
    error,
    usual,
    least,
    most,
    replaces,
    words,
    language,
  } = page;
  const said = words.server.rotation;
  const duration = (seconds: number) => durationText(seconds, language);
  const described = `activates_in-help${error ? " activates_in-error" : ""}`;
  const marks = html`id="${controlId("activates_in")}" name="activates_in" required aria-describedby="${described}"${error && html` aria-invalid="true" autofocus`}`;
  return consoleFrame({
    ...page,
    title: said.title,
    here: "signing_keys",
    crumbs: [
      { label: words.resourceTypes.signing_keys.many, href: resourceTypeHref("signing_keys") },
      { label: said.title },
    ],
    lead: said.lead,
    body: html`<section class="card"><ul class="scopes"><li>${said.published}</li><li>${said.old}</li>${replaces && html`<li>${said.waiting}</li>`}</ul>
<form method="post" action="${rotatePath}">${hiddenFields({ csrf_token })}
<div class="field"><label for="${controlId("activates_in")}">${said.wait}</label>${durationInput({ name: "activates_in", min: least }, activates_in, marks, { words })}<p class="help" id="activates_in-help">${said.help(duration(usual), duration(least))}</p>${error && html`<p class="field-error" id="activates_in-error">${said.range(duration(least), duration(most))}</p>`}</div>
<div class="field"><label for="algorithm">${words.server.keys.algorithm}</label><select id="algorithm" name="algorithm" aria-describedby="algorithm-help">${algorithms.map((each) => html`<option value="${each}"${each === algorithm && html` selected`}>${each}</option>`)}</select><p class="help" id="algorithm-help">${said.algorithmHelp}</p></div>
<div class="decisions"><a class="button" href="${resourceTypeHref("signing_keys")}">${said.cancel}</a><button class="button primary" type="submit">${said.submit}</button></div></form></section>`,
  });
}
