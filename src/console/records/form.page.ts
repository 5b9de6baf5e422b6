import type { ResourceType } from "../../records/definition/permissions.ts";
import { type FormError, fieldErrorSentence, formErrorSentence } from "../../web/error_sentence.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { cautions, notice } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { control, controlId } from "../fields/control.view.ts";
import { type FieldGroup, type GroupedFields, groupedFields } from "../fields/field_groups.view.ts";
import { fieldLabel, valueWord } from "../fields/field_label.view.ts";
import type { FieldControl } from "../fields/fields.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";
import { type BrandPreview, brandPreview } from "./brand_preview.view.ts";

export type FormPage = ConsoleLocale & {
  resourceType: ResourceType;
  name?: string | undefined;
  action: string;
  csrf_token: string;
  /** Makes repeated submissions create only one record, as an idempotency key. */
  form_id?: string | undefined;
  etag?: string | undefined;
  groups: readonly FieldGroup[];
  fields: readonly FieldControl[];
  /** The value chosen on the previous page, which the form repeats in a hidden field. */
  choice?: { readonly field: string; readonly value: string; readonly href: string } | undefined;
  first?: readonly string[] | undefined;
  notices?: readonly string[] | undefined;
  brand?: BrandPreview | undefined;
  errors: readonly FormError[];
  changed_meanwhile?: boolean | undefined;
  cancel_href: string;
};

function errorSummary({ errors, fields, words }: Pick<FormPage, "errors" | "fields" | "words">): Html {
  const faulty = fields.filter(isFaulty);
  return html`${
    faulty.length + errors.length > 0 &&
    notice(
      "failure",
      html`<p>${words.records.faultsLead}</p><ul>${errors.map((error) => html`<li>${formErrorSentence(error, words)}</li>`)}${faulty.map(
        ({ name, titled, error }) =>
          error &&
          html`<li><a href="#${controlId(name)}">${titled ?? fieldLabel(name, words)}</a>: ${fieldErrorSentence(error, words)}</li>`,
      )}</ul>`,
    )
  }`;
}

type FormContext = ConsoleLocale & {
  readonly focused: FieldControl | undefined;
  readonly brand: BrandPreview | undefined;
};

function controlsOf(fields: readonly FieldControl[], { focused, brand: _, ...locale }: FormContext): Html[] {
  return fields.map((field) => control(field, { ...locale, autofocus: field === focused }));
}

const isFaulty = ({ error }: FieldControl) => error !== undefined;

function groupOf(
  { legend, folded, fields }: GroupedFields<FieldControl>,
  formContext: FormContext,
  isPart = false,
): Html {
  const { groups } = formContext.words.records;
  const preview =
    legend === "brand" && formContext.brand && brandPreview(formContext.brand, formContext.words);
  const controls = html`${controlsOf(fields, formContext)}${preview}`;
  const card = !isPart && html` class="card"`;
  if (legend === undefined) return html`<section${card}>${controls}</section>\n`;
  const title = groups[legend];
  if (!folded) return html`<fieldset${card}><legend>${title}</legend>${controls}</fieldset>\n`;
  return html`<details${card}${fields.some(isFaulty) && html` open`}><summary>${title}</summary>${controls}</details>\n`;
}

function firstAndRest(
  first: readonly string[],
  { groups, fields }: Pick<FormPage, "groups" | "fields">,
  formContext: FormContext,
): Html {
  const open = first.flatMap((name) => fields.filter((field) => field.name === name));
  const rest = fields.filter((field) => !open.includes(field));
  return html`<section class="card">${controlsOf(open, formContext)}</section>
<details class="card"${rest.some(isFaulty) && html` open`}><summary>${formContext.words.newApp.more}</summary>${groupedFields(groups, rest).map((group) => groupOf(group, formContext, true))}</details>`;
}

function chosenLine(
  { field, value, href }: NonNullable<FormPage["choice"]>,
  words: ConsoleLocale["words"],
): Html {
  const other = safeHref(href);
  return html`<p>${fieldLabel(field, words)}: <strong>${valueWord(field, value, words) ?? value}</strong>${other !== undefined && html` · <a href="${other}">${words.newApp.choose}</a>`}</p>`;
}

export function formPage(page: FormPage): Html {
  const {
    resourceType,
    name,
    action,
    csrf_token,
    form_id,
    etag,
    groups,
    fields: all,
    choice,
    first,
    errors,
    notices,
    brand,
    changed_meanwhile,
    cancel_href,
    ...locale
  } = page;
  const { words } = locale;
  const { one, many } = words.resourceTypes[resourceType];
  const { create, editing, save, saveNew, cancel, changedTitle, changedLead } = words.records;
  const title = name === undefined ? create(one) : editing(name);
  const cancelled = safeHref(cancel_href) ?? resourceTypeHref(resourceType);
  const fields = all.filter((field) => field.name !== choice?.field);
  const formContext = { ...locale, brand, focused: fields.find(isFaulty) };
  const hidden = {
    csrf_token,
    ...(choice !== undefined && { [choice.field]: choice.value }),
    ...(form_id !== undefined && { form_id }),
    ...(etag !== undefined && { etag }),
  };
  return consoleFrame({
    ...locale,
    here: resourceType,
    title,
    crumbs: [
      { label: many, href: resourceTypeHref(resourceType) },
      ...(name === undefined ? [] : [{ label: name, href: cancelled }]),
      { label: title },
    ],
    body: html`${changed_meanwhile && html`<div class="notice notice-caution" role="status"><strong>${changedTitle}</strong> ${changedLead}</div>`}
${cautions(notices)}${errorSummary({ ...locale, errors, fields })}${choice && chosenLine(choice, words)}
<form class="record-form" method="post" action="${safeHref(action) ?? resourceTypeHref(resourceType)}">
${hiddenFields(hidden)}
${first === undefined ? groupedFields(groups, fields).map((group) => groupOf(group, formContext)) : firstAndRest(first, { groups, fields }, formContext)}
<div class="actions"><button class="button primary" type="submit">${name === undefined ? saveNew : save}</button><a class="button" href="${cancelled}">${cancel}</a></div>
</form>`,
  });
}

type ChoicePage = ConsoleLocale & {
  resourceType: ResourceType;
  field: string;
  choices: readonly { readonly value: string; readonly href: string; readonly help?: string | undefined }[];
  cancel_href: string;
};

/** Renders the page on which users choose the kind of a new record, before its form. */
export function choicePage({ resourceType, field, choices, cancel_href, ...locale }: ChoicePage): Html {
  const { words } = locale;
  const { one, many } = words.resourceTypes[resourceType];
  const { create, cancel } = words.records;
  const list = resourceTypeHref(resourceType);
  const title = create(one);
  return consoleFrame({
    ...locale,
    here: resourceType,
    title,
    crumbs: [{ label: many, href: list }, { label: title }],
    body: html`<section class="card" aria-labelledby="choice"><h2 id="choice">${fieldLabel(field, words)}</h2>
<ul class="choices">${choices.map(({ value, href, help }) => html`<li><a class="choice" href="${safeHref(href) ?? list}"><span class="choice-text"><strong>${valueWord(field, value, words) ?? value}</strong>${help !== undefined && html`<span class="quiet">${help}</span>`}</span></a></li>\n`)}</ul></section>
<div class="actions"><a class="button" href="${safeHref(cancel_href) ?? list}">${cancel}</a></div>`,
  });
}

type MadePage = ConsoleLocale & {
  resourceType: ResourceType;
  name: string;
  href: string;
  /** Secrets that are shown only now. `name` is a field in the resource's `output`. */
  once: readonly { name: string; value: string }[];
};

/** Renders secrets that cannot be shown again, such as the key of a new record. */
export function madePage({ resourceType, name, href, once, ...locale }: MadePage): Html {
  const { words } = locale;
  const { one, many } = words.resourceTypes[resourceType];
  const said = words.records.made;
  const own = safeHref(href) ?? resourceTypeHref(resourceType);
  const title = said.title(one);
  return consoleFrame({
    ...locale,
    here: resourceType,
    title,
    crumbs: [
      { label: many, href: resourceTypeHref(resourceType) },
      { label: name, href: own },
      { label: title },
    ],
    body: html`<section class="card">
${notice("caution", said.caution)}
${once.map(
  (each) =>
    html`<h2>${fieldLabel(each.name, words)}</h2>
<div class="secret"><code>${each.value}</code></div>`,
)}
<div class="actions"><a class="button primary" href="${own}">${said.goOn(name)}</a></div>
</section>`,
  });
}
