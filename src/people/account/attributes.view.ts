import type { Reason } from "../../errors/field_errors.ts";
import { type Html, html } from "../../web/html/html.ts";
import { ownWord } from "../../web/html/own_word.ts";
import { textField } from "../../web/html/text_field.ts";
import type { AccountWords } from "../../web/words/en/account.ts";
import type { OwnAttribute } from "./own_attributes.ts";

export interface AttributeField extends OwnAttribute {
  readonly typed?: string | undefined;
  readonly error?: Reason | undefined;
  readonly autofocus?: boolean;
}

type Words = AccountWords["profile"]["attributes"];

const labelOf = ({ label, name }: OwnAttribute, { names }: Words): string =>
  label ?? ownWord(names, name) ?? name;

/** Renders the read-only attributes that have a value. */
export function attributeFacts(attributes: readonly AttributeField[], words: Words): Html[] {
  return attributes
    .filter(({ text, is_editable }) => text !== undefined && !is_editable)
    .map(
      (each) =>
        html`<div><dt>${labelOf(each, words)}</dt><dd><bdi>${shownText(each, words)}</bdi></dd></div>\n`,
    );
}

function shownText({ value_type, text = "" }: AttributeField, { yes, no }: Words): string {
  if (value_type === "boolean") return text === "true" ? yes : no;
  return value_type === "list" ? text.replaceAll("\n", ", ") : text;
}

export function attributeFields(attributes: readonly AttributeField[], words: Words): Html[] {
  return attributes.filter(({ is_editable }) => is_editable).map((each) => attributeField(each, words));
}

const inputTypes = { string: "text", number: "number", date: "date" } as const;

function attributeField(attribute: AttributeField, words: Words): Html {
  const { value_type, text = "", typed = text, autofocus } = attribute;
  const name = attribute.field;
  const label = labelOf(attribute, words);
  const error = attribute.error && errorSentence(attribute.error, words.errors);
  if (value_type !== "boolean" && value_type !== "list")
    return textField({
      ...{ name, label, value: typed, error, autofocus, type: inputTypes[value_type] },
      autocomplete: "off",
    });
  const marks = html`id="${name}" name="${name}"${error !== undefined && html` aria-invalid="true"`}${autofocus && html` autofocus`}`;
  const errorLine = error !== undefined && html`\n<p class="field-error" id="${name}-error">${error}</p>`;
  if (value_type === "boolean")
    return html`<div class="field"><input type="hidden" name="${name}" value="false"><label class="check"><input type="checkbox" ${marks}${error !== undefined && html` aria-describedby="${name}-error"`} value="true"${typed === "true" && html` checked`}><span>${label}</span></label>${errorLine}</div>`;
  const described = `${error === undefined ? "" : `${name}-error `}${name}-help`;
  const rows = Math.min(Math.max(typed.split("\n").length + 1, 3), 12);
  // HTML parsers drop a line break right after `<textarea>`. Without this extra one, they would drop a line
  // break at the start of the value.
  return html`<div class="field">
<label for="${name}">${label}</label>
<textarea ${marks} aria-describedby="${described}" rows="${rows}">
${typed}</textarea>${errorLine}
<p class="help" id="${name}-help">${words.onePerLine}</p>
</div>`;
}

function errorSentence({ code, params }: Reason, errors: Words["errors"]): string {
  const of: Readonly<Record<string, unknown>> = params;
  const sentence = Object.hasOwn(errors, code) ? errors[code as keyof typeof errors] : errors.other;
  if (typeof sentence === "string") return sentence;
  return sentence(Number(of.items ?? of.characters ?? of.max));
}
