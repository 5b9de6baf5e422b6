// @ts-check
// Enhancements for browsers with scripts, such as copy buttons, times in the user's time zone, a button that
// shows a password, and forms that submit only once. All pages work without them.

const said = document.body.dataset;

const announcement = document.createElement("p");
announcement.className = "unseen";
announcement.role = "status";
document.body.append(announcement);

/** @param {string} className @param {string | undefined} label */
function button(className, label = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = className;
  made.textContent = label;
  return made;
}

for (const box of document.querySelectorAll(".secret, .copyable, .copied-value, pre[data-copy]")) {
  if (box.querySelector("button")) continue;
  const source = box.querySelector("code") ?? box;
  // In running text, the class `toggle` makes the button as small as a word.
  const copy = button(box.matches(".copied-value") ? "toggle" : "button small", said.copyLabel);
  copy.onclick = async () => {
    try {
      await navigator.clipboard.writeText(source.textContent ?? "");
    } catch {
      // On plain http, except on localhost, there is no clipboard API. The text is selected, so one keystroke
      // copies it.
      getSelection()?.selectAllChildren(source);
      return;
    }
    copy.textContent = announcement.textContent = said.copiedLabel ?? "";
    setTimeout(() => {
      copy.textContent = said.copyLabel ?? "";
      announcement.textContent = "";
    }, 2500);
  };
  if (box.matches("pre")) box.after(copy);
  else box.append(copy);
}

const { lang } = document.documentElement;
// Some systems list languages that are not valid tags, such as en-US@posix.
const own = navigator.languages.find(
  (tag) => /^[\w-]+$/.test(tag) && tag.split("-")[0] === lang.split("-")[0],
);
for (const time of document.querySelectorAll("time")) {
  time.title = time.textContent ?? "";
  /** @type {Intl.DateTimeFormatOptions} */
  const format =
    time.dataset.precision === "day" ? { dateStyle: "long" } : { dateStyle: "medium", timeStyle: "short" };
  time.textContent = new Date(time.dateTime).toLocaleString(own ?? lang, format);
}

/** @type {NodeListOf<HTMLInputElement>} */
const moments = document.querySelectorAll(".filters input[type=datetime-local]");
for (const input of moments) {
  if (input.value) {
    const time = new Date(`${input.value}Z`);
    input.value = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }
  const zone = input.labels?.[0]?.querySelector(".quiet");
  if (zone) zone.textContent = Intl.DateTimeFormat().resolvedOptions().timeZone;
  input.form?.addEventListener("formdata", ({ formData }) => {
    if (input.value) formData.set(input.name, new Date(input.value).toISOString());
  });
}

/** @type {NodeListOf<HTMLInputElement>} */
const passwords = document.querySelectorAll("input[type=password]");
for (const input of passwords) {
  const toggle = button("toggle", input.dataset.showLabel ?? said.showLabel);
  toggle.setAttribute("aria-controls", input.id);
  toggle.onclick = () => show(input, input.type === "password");
  input.after(toggle);
}

/** @param {HTMLInputElement} input @param {boolean} shown */
function show(input, shown) {
  input.type = shown ? "text" : "password";
  const toggle = input.nextElementSibling;
  const { showLabel, hideLabel } = { ...said, ...input.dataset };
  if (toggle) toggle.textContent = (shown ? hideLabel : showLabel) ?? "";
}

/** @type {Set<HTMLFormElement>} */
const sent = new Set();

/** @param {HTMLFormElement} form */
function release(form) {
  sent.delete(form);
  form.ariaBusy = null;
}

addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  form.ariaBusy = "true";
  // After "Back", browsers restore the text of a password field that is shown, so every password is hidden
  // before it is sent.
  for (const input of passwords) show(input, false);
  // This page stays open if the response starts another program, or the user stops loading.
  setTimeout(release, 8000, form);
});
// After "Back", browsers may restore this page with its forms still marked as sent.
addEventListener("pageshow", () => sent.forEach(release));

// A check box with `data-all` is in one form, but its value is submitted with every form of the page.
addEventListener("formdata", ({ formData }) => {
  /** @type {NodeListOf<HTMLInputElement>} */
  const all = document.querySelectorAll("[data-all]:checked");
  for (const { name, value } of all) formData.set(name, value);
});

/** @type {EventTarget | null} */
let pressed = null;
addEventListener("pointerdown", (event) => {
  pressed = event.target;
});
// A `select` submits its form only if the user chose the value with a pointer. With the keyboard, users pass
// through other values first.
addEventListener("keydown", () => {
  pressed = null;
});
addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLSelectElement) || target !== pressed) return;
  if (target.form?.matches(".filters:has([type=submit])")) target.form.requestSubmit();
});

/** @type {HTMLInputElement | null} */
const filter = document.querySelector("input[data-filters]");
filter?.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/);
  /** @type {NodeListOf<HTMLElement>} */
  const parts = document.querySelectorAll(filter.dataset.filters ?? "");
  for (const part of parts) {
    const text = `${part.id} ${part.querySelector("summary")?.textContent}`.toLowerCase();
    part.hidden = !words.every((word) => text.includes(word));
  }
});

if (document.querySelector("[data-suggestions]")) import("./picker.js");
if (document.querySelector("[data-brand-preview]")) import("./brand_preview.js");

addEventListener("keydown", (event) => {
  const find = document.querySelector("#find");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(find instanceof HTMLInputElement) || !(event.target instanceof HTMLElement)) return;
  if (event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  find.select();
});

/** @type {NodeListOf<HTMLDetailsElement>} */
const menus = document.querySelectorAll("details.menu");
addEventListener("pointerdown", ({ target }) => {
  for (const menu of menus) if (target instanceof Node && !menu.contains(target)) menu.open = false;
});
for (const menu of menus) {
  menu.addEventListener("keydown", (event) => {
    if (!menu.open) return;
    /** @type {NodeListOf<HTMLElement>} */
    const held = menu.querySelectorAll("summary, a, button");
    if (event.key === "Escape") {
      menu.open = false;
      held[0]?.focus();
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = document.activeElement instanceof HTMLElement ? [...held].indexOf(document.activeElement) : -1;
    held[(at + step + held.length) % held.length]?.focus();
  });
}
