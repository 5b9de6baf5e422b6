import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { safeHref } from "../../../web/html/safe_href.ts";
import { textField } from "../../../web/html/text_field.ts";
import { durationText } from "../../../web/measure.ts";
import { type AccountLocale, accountFrame } from "../../core/pages/account_frame.view.ts";

export type NewAppError = "wrong" | "late" | "name" | "too_many";

type NewAppPage = AccountLocale & {
  qr: Html;
  secret: string;
  uri: string;
  name: string;
  longest_name: number;
  minutes: number;
  csrf_token: string;
  error?: NewAppError | undefined;
};

export function newAppPage(page: NewAppPage): Html {
  const { qr, secret, uri, name, longest_name, minutes, csrf_token, error, ...frame } = page;
  const { ownFactors, secondFactor } = frame.words;
  const words = ownFactors.enrol;
  const code_error = error === "wrong" || error === "late" ? secondFactor.totp[error] : undefined;
  return accountFrame({
    ...frame,
    here: "security",
    title: words.title,
    lead: words.lead(durationText(minutes * 60, frame.language)),
    body: html`<section class="card">
${error === "too_many" && notice("failure", html`<p>${words.tooMany}</p>`)}
<div class="stack"><h2>${words.scan}</h2>${qr}</div>
<div class="stack"><h2>${words.type}</h2><p class="secret"><code>${secret.replaceAll(/.{4}(?=.)/g, "$& ")}</code></p>
<p><a href="${otpauthHref(uri)}">${words.open}</a></p></div>
<form method="post" action="/account/authenticator-apps">
${hiddenFields({ csrf_token })}
${textField({ name: "code", label: secondFactor.totp.label, type: "text", autocomplete: "one-time-code", inputmode: "numeric", help: secondFactor.totp.help, max_length: 40, required: true, error: code_error, autofocus: error !== "name" })}
${textField({ name: "name", label: words.optionalName, type: "text", autocomplete: "off", value: name, help: words.nameHelp, max_length: longest_name, error: error === "name" ? frame.words.frame.nameError(longest_name) : undefined, autofocus: error === "name" })}
<div class="actions"><button class="button primary" type="submit">${words.submit}</button><a class="button" href="/account/security">${words.cancel}</a></div>
</form>
</section>`,
  });
}

const otpauthHref = (uri: string): string => (/^otpauth:\/\/[!-~]+$/.test(uri) ? uri : "");

type ChangeAppPage = AccountLocale & { id: string; name: string; csrf_token: string };

export function renameAppPage({
  id,
  name,
  csrf_token,
  longest_name,
  wrong,
  ...frame
}: ChangeAppPage & { longest_name: number; wrong?: boolean | undefined }): Html {
  const { renaming, enrol } = frame.words.ownFactors;
  return accountFrame({
    ...frame,
    here: "security",
    title: renaming.title,
    body: html`<section class="card">
<form method="post" action="${safeHref(`/account/authenticator-apps/${id}/rename`) ?? ""}">
${hiddenFields({ csrf_token })}
${textField({ name: "name", label: enrol.name, type: "text", autocomplete: "off", value: name, help: enrol.nameHelp, max_length: longest_name, required: true, autofocus: true, error: wrong ? frame.words.frame.nameError(longest_name) : undefined })}
<div class="actions"><button class="button primary" type="submit">${renaming.submit}</button></div>
</form>
</section>`,
  });
}

/**
 * Renders the page that asks whether to remove an authenticator app. `last` means that no second factor would
 * remain.
 */
export function removeAppPage({
  id,
  name,
  csrf_token,
  last,
  ...frame
}: ChangeAppPage & { last: boolean }): Html {
  const { removing } = frame.words.ownFactors;
  return accountFrame({
    ...frame,
    here: "security",
    title: removing.title(name),
    lead: last ? removing.lastLead : removing.lead,
    body: html`<section class="card">
<form method="post" action="${safeHref(`/account/authenticator-apps/${id}/remove`) ?? ""}">
${hiddenFields({ csrf_token })}
<div class="decisions"><a class="button" href="/account/security">${frame.words.belongings.endings.keep}</a><button class="button danger primary" type="submit">${removing.submit}</button></div>
</form>
</section>`,
  });
}

/** Width of the white border around the QR code, in modules (ISO/IEC 18004, section 9.1). */
const quietZone = 4;
/** Pixels per module: large enough for a camera, small enough for a phone's screen. */
const moduleSize = 4;

/**
 * Returns `text` as a QR code. It is black on white in every color scheme, since cameras misread the reverse.
 * Throws an Error for more than 2,331 bytes.
 */
export async function qrCode(text: string, label: string): Promise<Html> {
  // Loading takes 25 ms, and few users open this page.
  const { encodeQR } = await import("qr");
  const rows = encodeQR(text, "raw", { ecc: "medium", border: quietZone });
  const size = rows.length;
  const pixels = size * moduleSize;
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="${pixels}" height="${pixels}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${rows.map(runsOf).join("")}"/></svg>`;
}

/** One rectangle per run of dark modules takes a third of the bytes of one rectangle per module. */
function runsOf(row: readonly boolean[], y: number): string {
  const bits = row.map((dark) => (dark ? "1" : "0")).join("");
  return [...bits.matchAll(/1+/g)]
    .map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
    .join("");
}
