import type { Format } from "../../records/definition/field.ts";
import { fieldErrorSentence } from "../../web/error_sentence.ts";
import { durationParts } from "../../web/html/duration.ts";
import { type Html, html } from "../../web/html/html.ts";
import { ownWord } from "../../web/html/own_word.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { besideGrid, permissionGrid } from "../../web/permission_grid.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";
import type { Words } from "../../web/words/words.ts";
import { apiName, fieldLabel, spelledLabel, valueWord } from "./field_label.view.ts";
import type { FieldControl } from "./fields.view.ts";

export type ControlOptions = Pick<ManagementLocale, "words" | "language"> & {
  /** Whether the control belongs to a filter, in which every field may be left empty, even a boolean. */
  narrowing?: boolean | undefined;
  autofocus?: boolean | undefined;
};

interface Control {
  readonly type?: string;
  readonly autocomplete?: string;
  /** Shows an email keyboard without `type="email"`; `emailInput` explains why. */
  readonly inputmode?: "email";
}

const controls: Readonly<Record<Format, Control>> = {
  slug: {},
  client_id: {},
  redirect_uri: {},
  post_logout_redirect_uri: {},
  https_url: { type: "url" },
  notice_url: { type: "url" },
  endpoint_url: { type: "url" },
  event_type: {},
  webhook_part: {},
  provider_url: { type: "url" },
  provider_issuer: { type: "url" },
  domain: {},
  scope: {},
  default_scope: {},
  grant: {},
  response_type: {},
  signature_algorithm: {},
  resource_identifier: {},
  listed_resource: {},
  resource_scopes: {},
  claim_surfaces: {},
  attribute_claims: {},
  attribute_name: {},
  attribute_writer: {},
  attribute_reader: {},
  attribute_pattern: {},
  claim_name: {},
  resource_default_scope: {},
  role_name: {},
  group_name: {},
  membership_role: {},
  permission_word: {},
  descriptions_by_language: {},
  colour: {},
  scope_descriptions: {},
  app_metadata: {},
  organization_settings: {},
  prose: {},
  email: { inputmode: "email" },
  url: { type: "url" },
  picture: { type: "url" },
  search: { type: "search" },
  new_password: { autocomplete: "new-password" },
  current_password: { autocomplete: "current-password" },
};

/** Returns the element ID of a field's control. */
export function controlId(name: string): string {
  return `field-${name}`;
}

/**
 * Renders a field's control with label, help and errors. A list is sent as text with one item per line, or as
 * the values of check boxes with one name. A single check box is sent as `true` or not at all. Times are sent
 * in UTC without a zone, such as `2026-01-31T12:00`, and JSON as text.
 */
export function control(field: FieldControl, options: ControlOptions): Html {
  if (field.many_of !== undefined) return checkBoxes(field, field.many_of, options);
  if (field.grid !== undefined) return gridControl(field, field.grid, options);
  if (field.one_of !== undefined) return radioButtons(field, field.one_of, options);
  if (field.kind === "bool" && !options.narrowing) return checkBox(field, options);
  const { name } = field;
  const { help, error } = described(field, options);
  const remark = remarkOf(field, options);
  return html`<div class="field">
<label for="${controlId(name)}">${options.narrowing ? html`${fieldLabel(name, options.words)}${remark !== undefined && html` <span class="quiet">${remark}</span>`}` : spelledLabel(field, options.words, remark)}</label>
${entry(field, options)}${help}${error}
</div>`;
}

function remarkOf(
  { kind, required, values, one_of, value }: FieldControl,
  { words, narrowing }: ControlOptions,
): string | undefined {
  if (kind === "time") return "UTC";
  const isChosen = (values ?? one_of) !== undefined && value !== "";
  return required && !narrowing && !isChosen ? words.records.required : undefined;
}

function described(field: FieldControl, { words, narrowing }: ControlOptions) {
  const id = controlId(field.name);
  const help = narrowing && field.help === undefined ? undefined : helpOf(field, words.fields.help);
  const errors = field.error === undefined ? [] : [field.error, ...(field.further_errors ?? [])];
  return {
    help: help !== undefined && html`\n<p class="help" id="${id}-help">${help}</p>`,
    error:
      field.error !== undefined &&
      html`\n<p class="field-error" id="${id}-error">${errors.map((error, index) => html`${index > 0 && html`<br>`}${fieldErrorSentence(error, words)}`)}</p>`,
    by: [help !== undefined && `${id}-help`, field.error !== undefined && `${id}-error`]
      .filter(Boolean)
      .join(" "),
  };
}

function helpOf({ name, help }: FieldControl, words: Words["fields"]["help"]): string | undefined {
  return ownWord(words, help ?? name);
}

function marks(field: FieldControl, options: ControlOptions): Html {
  const { by } = described(field, options);
  const invalid = field.error !== undefined && html` aria-invalid="true"`;
  return html`id="${controlId(field.name)}" name="${field.name}"${invalid}${by !== "" && html` aria-describedby="${by}"`}${options.autofocus && html` autofocus`}`;
}

function entry(field: FieldControl, options: ControlOptions): Html {
  const { kind, values, shape, required, max_length, min, max, format, plain, sensitive } = field;
  const text = textOf(field);
  const attributes = html`${marks(field, options)}${required && !options.narrowing && html` required`}`;
  if (kind === "bool") return select(field, ["true", "false"], text, attributes, options);
  if (values !== undefined) return select(field, values, text, attributes, options);
  const length = html`${max_length !== undefined && html` maxlength="${max_length}"`}`;
  const { type = "text", autocomplete = "off", inputmode } = format === undefined ? {} : controls[format];
  // There is no length limit, because browsers would cut off a pasted password without notice.
  if (sensitive) {
    const isPassword = format === "new_password" || format === "current_password";
    const { showSecret, hideSecret } = options.words.records;
    return html`<input ${attributes} type="password" autocomplete="${autocomplete}"${!isPassword && html` data-show-label="${showSecret}" data-hide-label="${hideSecret}"`}>`;
  }
  const isProse = plain !== undefined || format === "search";
  if (kind === "json" || kind === "text" || plain === "lines") {
    const rows = Math.min(Math.max(text.split("\n").length + 1, 3), 12);
    // Inserts a line break, because HTML parsers drop one directly after `<textarea>`. A line break at the
    // start of the value is thus kept.
    return html`<textarea ${attributes}${suggested(field, options)} rows="${rows}"${length}${!isProse && machine}${shape !== "strings" && kind === "json" && html` class="code"`}>
${text}</textarea>`;
  }
  if (field.unit === "seconds") return durationInput(field, text, attributes, options);
  if (kind === "int") {
    const bounds = html`${min !== undefined && html` min="${min}"`}${max !== undefined && html` max="${max}"`}`;
    const step = field.value_type === "number" && html` step="any"`;
    return html`<input ${attributes} type="number" value="${text}"${bounds}${step}>`;
  }
  if (field.value_type === "date") return html`<input ${attributes} type="date" value="${text}">`;
  if (kind === "time") return html`<input ${attributes} type="datetime-local" value="${inputTime(text)}">`;
  const input = html`<input ${attributes} type="${type}" value="${text}" autocomplete="${autocomplete}"${inputmode && html` inputmode="${inputmode}"`}${length}${!isProse && machine}${field.beginnings !== undefined && html` list="${controlId(field.name)}-list"`}${suggested(field, options)}>`;
  if (field.beginnings !== undefined)
    return html`${input}<datalist id="${controlId(field.name)}-list">${field.beginnings.map((each) => html`<option value="${each}">`)}</datalist>`;
  return field.suggestions === undefined ? input : html`<span class="combobox">${input}</span>`;
}

function suggested({ suggestions, shape, name }: FieldControl, { words }: ControlOptions): Html | false {
  const href = safeHref(suggestions);
  return (
    href !== undefined &&
    html` data-suggestions="${href}"${shape === "strings" && html` data-suggestions-label="${fieldLabel(name, words)}: ${words.records.suggestions.add}"`}`
  );
}

/**
 * Renders a number and a unit, which are sent as two fields. The field's limits are in seconds, so the number
 * has no `max`, and a `min` of at most 1.
 */
export function durationInput(
  { name, min }: Pick<FieldControl, "name" | "min">,
  text: string,
  attributes: Html,
  { words }: Pick<ControlOptions, "words">,
): Html {
  const { number, unit } = durationParts(text);
  const unitId = `${controlId(name)}-unit`;
  return html`<span class="duration"><input ${attributes} type="number" value="${number}"${min !== undefined && html` min="${Math.min(min, 1)}"`}>
<label class="unseen" for="${unitId}">${fieldLabel(name, words)}: ${words.records.unit}</label>
<select id="${unitId}" name="${name}.unit">${Object.entries(words.records.units).map(
    ([symbol, called]) =>
      html`<option value="${symbol}"${symbol === unit && html` selected`}>${called}</option>`,
  )}</select></span>`;
}

/** Keyboards and spelling checkers must not change values that programs read. */
const machine = html` spellcheck="false" autocapitalize="none"`;

/** A stored secret is never sent to the browser. */
function textOf({ value, sensitive }: FieldControl): string {
  if (sensitive) return "";
  return typeof value === "object" ? value.join("\n") : String(value);
}

/**
 * Converts a time to UTC, in the format of a `datetime-local` control. Returns the text unchanged if it is
 * not a time with a time zone.
 */
export function inputTime(text: string): string {
  const time = new Date(text);
  if (!/T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime())) return text;
  return time.toISOString().replace(/(?::00)?\.000Z$|Z$/, "");
}

function select(
  { name, required }: FieldControl,
  values: readonly string[],
  chosen: string,
  attributes: Html,
  { words, narrowing }: ControlOptions,
): Html {
  const { any, notChosen, yes, no } = words.records;
  const answers = { true: yes, false: no };
  const all = chosen === "" || values.includes(chosen) ? values : [...values, chosen];
  const open = narrowing || !required || chosen === "";
  return html`<select ${attributes}>${open && html`<option value="">${narrowing ? any : notChosen}</option>`}${all.map(
    (value) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${valueWord(name, value, words) ?? ownWord(answers, value) ?? value}</option>`,
  )}</select>`;
}

function checkBox(field: FieldControl, options: ControlOptions): Html {
  const { help, error } = described(field, options);
  const isChecked = field.value === true || field.value === "true";
  return html`<div class="field"><label class="check"><input type="checkbox" ${marks(field, options)} value="true"${isChecked && html` checked`}><span>${spelledLabel(field, options.words)}</span></label>${help}${error}</div>`;
}

function checkBoxes(field: FieldControl, choices: readonly string[], options: ControlOptions): Html {
  const { words } = options;
  const { name, value } = field;
  const chosen = typeof value === "object" ? value : String(value).split(/\s+/).filter(Boolean);
  const { help, error, by } = described(field, options);
  const all = [...choices, ...chosen.filter((each) => !choices.includes(each))];
  return html`<fieldset id="${controlId(name)}" tabindex="-1"${by !== "" && html` aria-describedby="${by}"`}><legend>${spelledLabel(field, words, remarkOf(field, options))}</legend>${all.map(
    (each, index) =>
      html`<label class="check"><input type="checkbox" name="${name}" value="${each}"${chosen.includes(each) && html` checked`}${options.autofocus && index === 0 && html` autofocus`}><span>${choiceWords(field, each, words)}</span></label>`,
  )}${help}${error}</fieldset>`;
}

function radioButtons(field: FieldControl, usual: readonly string[], options: ControlOptions): Html {
  const { words } = options;
  const { name, required } = field;
  const chosen = textOf(field);
  const { help, error, by } = described(field, options);
  const all = chosen === "" || usual.includes(chosen) ? usual : [...usual, chosen];
  return html`<fieldset id="${controlId(name)}" tabindex="-1"${by !== "" && html` aria-describedby="${by}"`}><legend>${spelledLabel(field, words, remarkOf(field, options))}</legend>${all.map(
    (each, index) =>
      html`<label class="check"><input type="radio" name="${name}" value="${each}"${each === chosen && html` checked`}${required && html` required`}${options.autofocus && index === 0 && html` autofocus`}><span>${choiceWords(field, each, words)} ${name === "role" && roleHelp(each, words)}</span></label>`,
  )}${help}${error}</fieldset>`;
}

function gridControl(
  field: FieldControl,
  { prefix, offered, folded }: NonNullable<FieldControl["grid"]>,
  options: ControlOptions,
): Html {
  const { words, autofocus } = options;
  const { name, value } = field;
  const id = controlId(name);
  const chosen = typeof value === "object" ? value : String(value).split(/\s+/).filter(Boolean);
  const others = besideGrid(chosen, prefix, options);
  const { help, error, by } = described(field, options);
  const offersOthers = prefix !== "" || others.length > 0;
  const choices = html`${permissionGrid({ name, prefix, offered, chosen, autofocus }, options)}${
    offersOthers &&
    html`<div class="field"><label for="${id}-others">${words.scopes.levels.others}</label>
<textarea id="${id}-others" name="${name}" rows="2"${machine}>
${others.join("\n")}</textarea></div>`
  }`;
  const isOpen = chosen.length > 0 || field.error !== undefined;
  return html`<fieldset id="${id}" tabindex="-1"${by !== "" && html` aria-describedby="${by}"`}><legend>${spelledLabel(field, words, remarkOf(field, options))}</legend>${help}${error}
${folded ? html`<details${isOpen && html` open`}><summary>${words.records.choosePermissions}</summary>${choices}</details>` : choices}</fieldset>`;
}

function roleHelp(role: string, { invitation: { roles } }: ControlOptions["words"]): Html | false {
  const known = Object.hasOwn(roles, role) && roles[role as keyof typeof roles];
  return known && html`<span class="help">${known.help}</span>`;
}

function choiceWords(
  { name, spelled: by }: FieldControl,
  value: string,
  words: ControlOptions["words"],
): Html {
  const word = valueWord(name, value, words);
  const spelled = by?.[value] ?? value;
  if (word === undefined) return html`<code>${spelled}</code>`;
  // `roleHelp` already explains a role, so only viewers who chose to see API names see its name in the API.
  return html`${word}${name === "role" ? apiName(spelled) : html` <code class="quiet">${spelled}</code>`}`;
}
