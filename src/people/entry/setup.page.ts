import { unitText } from "../../web/html/formats.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { emailInput } from "../../web/html/text_field.ts";
import { layout } from "../../web/layout.ts";
import type { SetupWords } from "../../web/words/en/setup.ts";
import { languageTag } from "../../web/words/language.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import {
  type FirstPasskeyError,
  firstPasskey,
  firstPasskeyFailure,
} from "../authenticators/passkeys/first_passkey.view.ts";
import type { PasskeyQuestion } from "../authenticators/passkeys/passkey_form.view.ts";
import { loginHref } from "../core/pages/login_href.view.ts";

export type SetupError = "name" | keyof SetupWords["errors"];

type FieldName = "name" | "email" | "password";

export type SetupPage = PageLocale & {
  token: string;
  csrf_token: string;
  email?: string | undefined;
  name?: string | undefined;
  errors: readonly SetupError[];
  longest_name: number;
  shortest_password: number;
  passkey?: PasskeyQuestion | undefined;
  passkey_error?: FirstPasskeyError | undefined;
  done?: boolean | undefined;
};

type Field = { name: FieldName; type: string; autocomplete: string; hinted?: true };

const fields: readonly Field[] = [
  { name: "name", type: "text", autocomplete: "name" },
  { name: "email", type: "email", autocomplete: "username" },
  {
    name: "password",
    type: "password",
    autocomplete: "new-password",
    hinted: true,
  },
];

function fieldOf(error: SetupError): FieldName {
  if (error === "name") return error;
  return error.startsWith("email") ? "email" : "password";
}

/** Renders the form that creates the first platform administrator. */
export function setupPage(page: SetupPage): Html {
  const {
    token,
    csrf_token,
    email,
    name,
    errors,
    longest_name,
    shortest_password,
    passkey,
    passkey_error,
    done,
    ...locale
  } = page;
  const words = locale.words.setup;
  if (done) {
    return layout({
      ...locale,
      title: words.doneTitle,
      body: html`<section class="card">
<h1>${words.done}</h1>
<p class="lead">${words.doneLead}</p>
<a class="button primary" href="${loginHref("/console")}">${words.signIn}</a>
</section>`,
    });
  }
  const values: Readonly<Record<string, string | undefined>> = { name, email };
  const sentenceOf = (error: SetupError) =>
    error === "name" ? locale.words.frame.nameError(longest_name) : words.errors[error];
  const focused = fields.find((field) => errors.some((error) => fieldOf(error) === field.name)) ?? fields[0];

  return layout({
    ...locale,
    title: words.title,
    body: html`<section class="card">
<h1>${words.heading}</h1>
<p class="lead">${words.lead}</p>
<form method="post" action="/setup">
${hiddenFields({ token, csrf_token })}
${passkey_error && firstPasskeyFailure([passkey_error], locale.words)}
${fields.map((field) => {
  const found = errors.filter((error) => fieldOf(error) === field.name);
  const wrong = found.length > 0;
  const descriptions = [wrong && `${field.name}-error`, field.hinted && `${field.name}-hint`].filter(Boolean);
  return html`<div class="field">
<label for="${field.name}">${words[field.name]}</label>
<input id="${field.name}" name="${field.name}" ${field.name === "email" ? emailInput : html`type="${field.type}"`} value="${values[field.name]}" autocomplete="${field.autocomplete}" required${wrong && html` aria-invalid="true"`}${descriptions.length > 0 && html` aria-describedby="${descriptions.join(" ")}"`}${field === focused && html` autofocus`}>
${wrong && html`<p class="field-error" id="${field.name}-error">${found.map(sentenceOf).join(" ")}</p>`}
${field.hinted && html`<p class="quiet" id="${field.name}-hint">${locale.words.password.passwordHint(shortest_password)}</p>`}
</div>`;
})}
<button class="button primary" type="submit">${words.submit}</button>
${passkey && firstPasskey(passkey, locale.words)}
</form>
</section>`,
  });
}

/** Renders the page for visitors of a server without accounts. */
export function awaitingSetupPage({ hours, ...locale }: PageLocale & { hours: number }): Html {
  const { title, waiting } = locale.words.setup;
  return layout({
    ...locale,
    title,
    body: html`<section class="card">
<h1>${waiting.heading}</h1>
<p class="lead">${waiting.lead}</p>
<p>${waiting.where}</p>
<p>${waiting.again(unitText(hours, "hour", languageTag(locale.language), "long"))}</p>
</section>`,
  });
}
