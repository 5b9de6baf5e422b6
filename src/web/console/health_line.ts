import { type Html, html, type Printable } from "../html.ts";
import { durationText } from "../measure.ts";
import type { Language } from "../words/language.ts";
import type { Words } from "../words/words.ts";

export type Mark = "fine" | "caution" | "failure";

/** How the server is. An undefined part is left out. */
export type Health = {
  database: { mark: Mark };
  /** For how many seconds the key has signed; undefined when none does. */
  signing_key: { mark: Mark; seconds: number | undefined };
  hashing?: { mark: Mark } | undefined;
  mail?: "off" | { mark: Mark } | undefined;
  /** Seconds since expired rows were looked for; undefined before the first time. */
  sweep?: { mark: Mark; seconds: number | undefined } | undefined;
};

const colours: Readonly<Record<Mark | "off", string>> = {
  fine: "success",
  caution: "caution",
  failure: "failure",
  off: "quiet",
};

type Part = { label: string; mark: Mark | "off"; word: string; advice?: Printable };

/** The remedy, where a part is not well. */
function adviceOn(part: keyof Words["dashboard"]["advice"], mark: Mark, words: Words): Printable {
  const advice: Partial<Record<Mark, string>> = words.dashboard.advice[part];
  return advice[mark];
}

function partsOf(health: Health, words: Words, language: Language): Part[] {
  const { database, signing_key, hashing, mail, sweep } = health;
  const said = words.dashboard.health;
  const age = signing_key.seconds === undefined ? undefined : durationText(signing_key.seconds, language);
  const keyAdvice = adviceOn("signing_key", signing_key.mark, words);
  const parts: Part[] = [
    {
      label: said.database.label,
      mark: database.mark,
      word: said.database[database.mark],
      advice: adviceOn("database", database.mark, words),
    },
    {
      label: said.key.label,
      mark: signing_key.mark,
      word: age === undefined ? said.key.failure : said.key.age(age),
      advice:
        keyAdvice &&
        html`${keyAdvice} <a href="/console/signing-keys">${words.resourceTypes.signing_keys.many}</a>`,
    },
  ];
  if (hashing !== undefined) {
    parts.push({
      label: said.hashing.label,
      mark: hashing.mark,
      word: said.hashing[hashing.mark],
      advice: adviceOn("hashing", hashing.mark, words),
    });
  }
  if (mail === "off") parts.push({ label: said.mail.label, mark: "off", word: said.mail.off });
  else if (mail !== undefined) {
    parts.push({
      label: said.mail.label,
      mark: mail.mark,
      word: said.mail[mail.mark],
      advice: adviceOn("mail", mail.mark, words),
    });
  }
  if (sweep !== undefined) {
    const { mark, seconds } = sweep;
    parts.push({
      label: said.sweep.label,
      mark,
      word: seconds === undefined ? said.sweep.pending : said.sweep.ago(durationText(seconds, language)),
      advice: adviceOn("sweep", mark, words),
    });
  }
  return parts;
}

function badge(mark: Mark | "off", word: string): Html {
  return html`<span class="badge badge-${colours[mark]}">${word}</span>`;
}

/** A mark and a word for each part of the server in one line, and below it the remedies. */
export function healthLine(health: Health, words: Words, language: Language): Html {
  const parts = partsOf(health, words, language);
  const has = (mark: Mark) => parts.some((part) => part.mark === mark);
  const worst: Mark = has("failure") ? "failure" : has("caution") ? "caution" : "fine";
  const said = words.dashboard.health;
  return html`<section class="card"><h2>${said.title} ${badge(worst, said.overall[worst])}</h2>
<dl class="health">${parts.map(({ label, mark, word }) => html`<div><dt>${label}</dt><dd>${badge(mark, word)}</dd></div>`)}</dl>
${parts.map(({ mark, advice }) => advice && html`<div class="notice notice-${colours[mark]}">${advice}</div>`)}
</section>`;
}
