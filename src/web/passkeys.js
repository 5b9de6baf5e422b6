// @ts-check What passkeys need of a browser: a form holds the question in `data-options`, and what the
// authenticator answers goes into its hidden field. Only pages that ask for a passkey load this file.

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll("form[data-passkey]");
const passkeys = globalThis.PublicKeyCredential;
const able = typeof passkeys?.parseRequestOptionsFromJSON === "function";

/** A browser answers one question at a time. */
let question = new AbortController();

/** @param {HTMLFormElement} form @param {"conditional" | undefined} mediation */
async function ask(form, mediation) {
  question.abort();
  question = new AbortController();
  const { signal } = question;
  const options = JSON.parse(form.dataset.options ?? "{}");
  const answer =
    form.dataset.passkey === "create"
      ? await navigator.credentials.create({
          publicKey: passkeys.parseCreationOptionsFromJSON(options),
          signal,
        })
      : await navigator.credentials.get({
          publicKey: passkeys.parseRequestOptionsFromJSON(options),
          signal,
          ...(mediation && { mediation }),
        });
  const field = form.elements.namedItem("answer");
  if (!(field instanceof HTMLInputElement) || answer === null) return;
  field.value = JSON.stringify(answer);
  form.requestSubmit();
}

/** @param {HTMLFormElement} form @param {unknown} error */
function explain(form, error) {
  const said = form.querySelector("[role=status]");
  const name = error instanceof Error ? error.name : "";
  if (!said || name === "AbortError") return;
  said.textContent = (name === "InvalidStateError" ? form.dataset.known : form.dataset.cancelled) ?? "";
}

for (const form of forms) {
  if (!able) continue;
  form.hidden = false;
  const start = form.querySelector("button[type=button]");
  start?.addEventListener("click", () => ask(form, undefined).catch((error) => explain(form, error)));
}

for (const unable of document.querySelectorAll("[data-passkey-unable]")) {
  if (unable instanceof HTMLElement) unable.hidden = able;
}

const conditional = document.querySelector("form[data-conditional]");
if (able && conditional instanceof HTMLFormElement) {
  passkeys.isConditionalMediationAvailable?.().then((available) => {
    // A failure here is no news to somebody who types a password.
    if (available) ask(conditional, "conditional").catch(() => {});
  });
}

// A page out of the browser's memory holds a challenge that is spent or too old.
addEventListener("pageshow", ({ persisted }) => {
  const again = document.querySelector("form[data-renew]");
  if (persisted && again instanceof HTMLFormElement) location.replace(again.dataset.renew ?? location.href);
});

// Tells the password manager which passkeys this server knows, so that it offers no others.
for (const place of document.querySelectorAll("[data-signal]")) {
  if (!(place instanceof HTMLElement)) continue;
  const { accepted, user, unknown } = JSON.parse(place.dataset.signal ?? "{}");
  const ignore = () => {};
  if (accepted) passkeys?.signalAllAcceptedCredentials?.(accepted).catch(ignore);
  if (user) passkeys?.signalCurrentUserDetails?.(user).catch(ignore);
  if (unknown) passkeys?.signalUnknownCredential?.(unknown).catch(ignore);
}
