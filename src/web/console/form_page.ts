import type { ResourceType } from "../../records/permissions.ts";
import { type FormError, fieldErrorSentence, formErrorSentence } from "../error_sentence.ts";
import { hiddenFields } from "../hidden_fields.ts";
import { type Html, html } from "../html.ts";
import { cautions, notice } from "../notice.ts";
import { safeHref } from "../safe_href.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./console_frame.ts";
import { control, controlId } from "./control.ts";
import { type FieldGroup, type GroupedFields, groupedFields } from "./field_groups.ts";
import { fieldLabel } from "./field_label.ts";
import type { AskedField } from "./fields.ts";

export type FormPage = ConsoleLocale & {
  resourceType: ResourceType;
  /** Of the record that is edited; absent for a new one. */
  name?: string | undefined;
  action: string;
  csrf_token: string;
  /** Makes a form that is sent twice make one record. */
  form_id?: string | undefined;
  /** Of the record as the form shows it. */
  etag?: string | undefined;
  groups: readonly FieldGroup[];
  fields: readonly AskedField[];
  notices?: readonly string[] | undefined;
  /** Those that belong to no field. */
  errors: readonly FormError[];
  /** The record was changed by another person since the form was shown. */
  changed_meanwhile?: boolean | undefined;
  cancel_href: string;
};

/** The errors of a sent form, above it, with a link to each control. */
function errorSummary({ errors, fields, words }: Pick<FormPage, "errors" | "fields" | "words">): Html {
  const faulty = fields.filter(({ error }) => error !== undefined);
  return html`${
    faulty.length + errors.length > 0 &&
    notice(
      "failure",
      html`<p>${words.records.faultsLead}</p><ul>${errors.map((error) => html`<li>${formErrorSentence(error, words)}</li>`)}${faulty.map(
        ({ name, error }) =>
          error &&
          html`<li><a href="#${controlId(name)}">${fieldLabel(name, words)}</a>: ${fieldErrorSentence(error, words)}</li>`,
      )}</ul>`,
    )
  }`;
}

function groupOf(
  { legend, folded, fields }: GroupedFields<AskedField>,
  focused: AskedField | undefined,
  locale: ConsoleLocale,
): Html {
  const { words } = locale;
  const controls = fields.map((field) => control(field, { ...locale, autofocus: field === focused }));
  if (legend === undefined) return html`<section class="card">${controls}</section>\n`;
  const title = words.records.groups[legend];
  if (!folded) return html`<fieldset class="card"><legend>${title}</legend>${controls}</fieldset>\n`;
  const isOpen = fields.some(({ error }) => error !== undefined);
  return html`<details class="card"${isOpen && html` open`}><summary>${title}</summary>${controls}</details>\n`;
}

/** Makes a record or changes one. */
export function formPage(page: FormPage): Html {
  const {
    resourceType,
    name,
    action,
    csrf_token,
    form_id,
    etag,
    groups,
    fields,
    errors,
    notices,
    changed_meanwhile,
    cancel_href,
    ...locale
  } = page;
  const { words } = locale;
  const { one, many } = words.resourceTypes[resourceType];
  const { create, editing, save, saveNew, cancel, changedTitle, changedLead } = words.records;
  const title = name === undefined ? create(one) : editing(name);
  const cancelled = safeHref(cancel_href) ?? resourceTypeHref(resourceType);
  const focused = fields.find(({ error }) => error !== undefined);
  const hidden = {
    csrf_token,
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
${cautions(notices)}${errorSummary({ ...locale, errors, fields })}
<form class="record-form" method="post" action="${safeHref(action) ?? resourceTypeHref(resourceType)}">
${hiddenFields(hidden)}
${groupedFields(groups, fields).map((group) => groupOf(group, focused, locale))}
<div class="actions"><button class="button primary" type="submit">${name === undefined ? saveNew : save}</button><a class="button" href="${cancelled}">${cancel}</a></div>
</form>`,
  });
}
