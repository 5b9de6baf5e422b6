// @ts-check
// Passkey requests in the browser. An element of a form contains the options in `data-options`, and the
// authenticator's response is written to a hidden field of the form.

/** @type {NodeListOf<HTMLElement>} */
const questions = document.querySelectorAll("[data-passkey]");
const passkeys = globalThis.PublicKeyCredential;
const able = typeof passkeys?.parseRequestOptionsFromJSON === "function";

/** A browser handles one passkey request at a time. */
let asking = new AbortController();

/** @param {HTMLElement} question @param {string | undefined} name */
function fieldOf(question, name) {
  const field = name && question.closest("form")?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : undefined;
}

/** @param {HTMLElement} question @param {"conditional" | undefined} mediation */
async function ask(question, mediation) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const options = JSON.parse(question.dataset.options ?? "{}");
  const replaced = fieldOf(question, question.dataset.instead);
  if (replaced) {
    const missing = [...(replaced.form?.elements ?? [])].find(
      (field) => field instanceof HTMLInputElement && field !== replaced && !field.reportValidity(),
    );
    if (missing) return;
    // The account does not exist yet, so its names come from the form.
    options.user.name = fieldOf(question, "email")?.value ?? "";
    options.user.displayName = fieldOf(question, "name")?.value || options.user.name;
  }
  const answer =
    question.dataset.passkey === "create"
      ? await navigator.credentials.create({
          publicKey: passkeys.parseCreationOptionsFromJSON(options),
          signal,
          ...(mediation && { mediation }),
        })
      : await navigator.credentials.get({
          publicKey: passkeys.parseRequestOptionsFromJSON(options),
          signal,
          ...(mediation && { mediation }),
        });
  const field = question.querySelector("[data-answer]");
  if (!(field instanceof HTMLInputElement) || answer === null) return;
  field.value = JSON.stringify(answer);
  if (replaced) replaced.disabled = true;
  field.form?.requestSubmit();
}

/** @param {HTMLElement} question @param {unknown} error */
function explain(question, error) {
  const said = question.querySelector("[role=status]");
  const name = error instanceof Error ? error.name : "";
  if (!said || name === "AbortError") return;
  said.textContent =
    (name === "InvalidStateError" ? question.dataset.known : question.dataset.cancelled) ?? "";
}

/**
 * Has the browser create a passkey automatically, if it can.
 * @param {HTMLElement} question
 */
async function upgrade(question) {
  try {
    const able_to = await passkeys?.getClientCapabilities?.();
    if (able && able_to?.conditionalCreate) return await ask(question, "conditional");
  } catch {
    // No error is shown, because the user did not request a passkey.
  }
  location.replace(question.dataset.unasked ?? "/");
}

for (const question of questions) {
  if (question.dataset.unasked !== undefined) upgrade(question);
  if (!able || question.dataset.unasked !== undefined) continue;
  question.hidden = false;
  const start = question.querySelector("button");
  start?.addEventListener("click", () => ask(question, undefined).catch((error) => explain(question, error)));
  if (question.dataset.conditional === undefined) continue;
  passkeys.isConditionalMediationAvailable?.().then((available) => {
    // Errors are ignored, because the user may sign in with a password instead.
    if (available) ask(question, "conditional").catch(() => {});
  });
}

/** @type {NodeListOf<HTMLElement>} */
const notes = document.querySelectorAll("[data-passkey-unable]");
for (const note of notes) note.hidden = able;

// A page from the back/forward cache may contain a challenge that was used or has expired.
addEventListener("pageshow", ({ persisted }) => {
  const renew = [...questions].find(({ dataset }) => dataset.renew !== undefined)?.dataset.renew;
  if (persisted && renew !== undefined) location.replace(renew);
});

// With these signals, the password manager offers no passkeys that this server does not know, and shows the
// user's current name.
/** @type {NodeListOf<HTMLElement>} */
const signals = document.querySelectorAll("[data-signal]");
for (const { dataset } of signals) {
  const { accepted, user, unknown } = JSON.parse(dataset.signal ?? "{}");
  const ignore = () => {};
  if (accepted) passkeys?.signalAllAcceptedCredentials?.(accepted).catch(ignore);
  if (user) passkeys?.signalCurrentUserDetails?.(user).catch(ignore);
  if (unknown) passkeys?.signalUnknownCredential?.(unknown).catch(ignore);
}
