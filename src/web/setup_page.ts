import { hiddenFields } from "./hidden_fields.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { notice } from "./notice.ts";

export type SetupPage = {
  /** The one-time token of the setup link. */
  token: string;
  csrf_token: string;
  email?: string | undefined;
  name?: string | undefined;
  /** `field` is a field of the form; any other name puts the message above it. */
  errors: readonly { field: string; message: string }[];
  /** There is an administrator already: the form gives way to the way in. */
  done?: boolean | undefined;
};

type Field = { name: string; label: string; type: string; autocomplete: string; hint?: string };

const fields: readonly Field[] = [
  { name: "name", label: "Name", type: "text", autocomplete: "name" },
  { name: "email", label: "E-mail", type: "email", autocomplete: "username" },
  {
    name: "password",
    label: "Password",
    type: "password",
    autocomplete: "new-password",
    hint: "At least 8 characters. A few unrelated words are stronger than one odd one.",
  },
];

/** Makes the first platform administrator, from the link printed at the first start. */
export function setupPage({ token, csrf_token, email, name, errors, done }: SetupPage): Html {
  if (done) {
    return layout({
      title: "Ready",
      body: html`<section class="card">
<h1>Postern is ready</h1>
<p class="lead">The first administrator exists, and this link has done its work.</p>
<a class="button primary" href="/login">Sign in</a>
</section>`,
    });
  }
  const values: Readonly<Record<string, string | undefined>> = { name, email };
  const general = errors.filter((error) => !fields.some((field) => field.name === error.field));
  const focused = fields.find((field) => errors.some((error) => error.field === field.name)) ?? fields[0];

  return layout({
    title: "Set up",
    body: html`<section class="card">
<h1>Set up Postern</h1>
<p class="lead">Make the account of the first administrator. This works once.</p>
${
  general.length > 0 &&
  notice(
    "failure",
    general.map((error) => html`<p>${error.message}</p>`),
  )
}
<form method="post" action="/setup">
${hiddenFields({ token, csrf_token })}
${fields.map((field) => {
  const messages = errors.filter((error) => error.field === field.name);
  const wrong = messages.length > 0;
  const descriptions = [wrong && `${field.name}-error`, field.hint && `${field.name}-hint`].filter(Boolean);
  return html`<div class="field">
<label for="${field.name}">${field.label}</label>
<input id="${field.name}" name="${field.name}" type="${field.type}" value="${values[field.name]}" autocomplete="${field.autocomplete}" required${wrong && html` aria-invalid="true"`}${descriptions.length > 0 && html` aria-describedby="${descriptions.join(" ")}"`}${field === focused && html` autofocus`}>
${wrong && html`<p class="field-error" id="${field.name}-error">${messages.map((error) => error.message).join(" ")}</p>`}
${field.hint && html`<p class="quiet" id="${field.name}-hint">${field.hint}</p>`}
</div>`;
})}
<button class="button primary" type="submit">Create administrator</button>
</form>
</section>`,
  });
}
