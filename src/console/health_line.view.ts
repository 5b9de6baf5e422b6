import { type Html, html, type Printable } from "../web/html/html.ts";
import { durationText } from "../web/measure.ts";
import type { Language } from "../web/words/language.ts";
import type { Words } from "../web/words/words.ts";

export type Mark = "fine" | "caution" | "failure";

/** Undefined parts are not shown. */
export type Health = {
  database: { mark: Mark };
  /** `seconds`: how long the current key has been signing; undefined if no key signs. */
  signing_key: { mark: Mark; seconds: number | undefined };
  /** The private IP address from which all clients seem to come, probably a proxy that is not trusted. */
  addresses?: { mark: Mark; address: string } | undefined;
  hashing?: { mark: Mark } | undefined;
  mail?: "off" | "missed" | { mark: Mark } | undefined;
  /** `seconds`: how long ago expired rows were last deleted; undefined if that has not happened yet. */
  sweep?: { mark: Mark; seconds: number | undefined } | undefined;
};

const colours: Readonly<Record<Mark | "off", string>> = {
  fine: "success",
  caution: "caution",
  failure: "failure",
  off: "quiet",
};

type Part = { label: string; href?: string; mark: Mark | "off"; word: string; advice?: Printable };

type Advised = keyof Words["dashboard"]["advice"];

function partsOf(health: Health, words: Words, language: Language): Part[] {
  const { database, signing_key, addresses, hashing, mail, sweep } = health;
  const said = words.dashboard.health;
  const time = (seconds: number) => durationText(seconds, language);
  const part = (name: Advised, { label }: { label: string }, mark: Mark, word: string): Part => {
    const advice: Partial<Record<Mark, string>> = words.dashboard.advice[name];
    return { label, mark, word, advice: advice[mark] };
  };
  const { seconds: age } = signing_key;
  const key = part(
    "signing_key",
    said.key,
    signing_key.mark,
    age === undefined ? said.key.failure : said.key.age(time(age)),
  );
  const link = html`<a href="/console/signing-keys">${words.resourceTypes.signing_keys.many}</a>`;
  const parts: Part[] = [
    part("database", said.database, database.mark, said.database[database.mark]),
    { ...key, href: "/console/signing-keys", advice: key.advice && html`${key.advice} ${link}` },
  ];
  if (addresses) parts.push(part("addresses", said.addresses, addresses.mark, addresses.address));
  if (hashing) parts.push(part("hashing", said.hashing, hashing.mark, said.hashing[hashing.mark]));
  if (mail === "off") parts.push({ label: said.mail.label, mark: "off", word: said.mail.off });
  else if (mail === "missed") parts.push(part("no_mail", said.mail, "caution", said.mail.off));
  else if (mail) parts.push(part("mail", said.mail, mail.mark, said.mail[mail.mark]));
  if (sweep) {
    const word = sweep.seconds === undefined ? said.sweep.pending : said.sweep.ago(time(sweep.seconds));
    parts.push(part("sweep", said.sweep, sweep.mark, word));
  }
  return parts;
}

function badge(mark: Mark | "off", word: string): Html {
  return html`<span class="badge badge-${colours[mark]}">${word}</span>`;
}

/** Renders the state of each part of the server in one line, then advice on the parts with problems. */
export function healthLine(health: Health, words: Words, language: Language): Html {
  const parts = partsOf(health, words, language);
  const has = (mark: Mark) => parts.some((part) => part.mark === mark);
  const worst: Mark = has("failure") ? "failure" : has("caution") ? "caution" : "fine";
  const said = words.dashboard.health;
  return html`<section class="card"><h2>${said.title} ${badge(worst, said.overall[worst])}</h2>
<dl class="health">${parts.map(({ label, href = "/console/housekeeping", mark, word }) => html`<div><dt><a href="${href}">${label}</a></dt><dd>${badge(mark, word)}</dd></div>`)}</dl>
${parts.map(({ mark, advice }) => advice && html`<div class="notice notice-${colours[mark]}">${advice}</div>`)}
</section>`;
}
