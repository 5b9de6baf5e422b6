// @ts-check
// Suggestions for fields that name a record, using the combobox pattern of the ARIA Authoring Practices
// Guide (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). Without the script, the name is typed and
// sent unchanged.

/** @typedef {{ value: string, name: string }} Suggestion */

/** Milliseconds between the last keystroke and the request. */
const pause = 150;

const announcement = document.createElement("p");
announcement.className = "unseen";
announcement.role = "status";
document.body.append(announcement);

let count = 0;

/** @param {HTMLInputElement} input @param {string} href @param {(value: string) => void} take */
function suggest(input, href, take) {
  const list = document.createElement("ul");
  list.id = `suggestions-${++count}`;
  list.className = "suggestions";
  list.role = "listbox";
  list.ariaLabel = input.ariaLabel ?? input.labels?.[0]?.textContent ?? "";
  list.hidden = true;
  input.after(list);
  // Only a text input may be a combobox.
  if (input.type === "email") [input.type, input.inputMode] = ["text", "email"];
  input.role = "combobox";
  input.ariaAutoComplete = "list";
  input.setAttribute("aria-controls", list.id);
  input.ariaExpanded = "false";

  /** @type {HTMLElement | undefined} */
  let marked;
  let asking = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {HTMLElement | undefined} option */
  function mark(option) {
    if (marked) marked.ariaSelected = "false";
    marked = option;
    if (option) {
      option.ariaSelected = "true";
      option.scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", option.id);
    } else input.removeAttribute("aria-activedescendant");
  }

  function close() {
    clearTimeout(timer);
    asking.abort();
    mark(undefined);
    list.hidden = true;
    input.ariaExpanded = "false";
  }

  /** @param {string} value */
  function choose(value) {
    take(value);
    announcement.textContent = value;
    close();
  }

  /** @param {readonly Suggestion[]} options */
  function show(options) {
    mark(undefined);
    list.replaceChildren(
      ...options.map(({ value, name }, index) => {
        const option = document.createElement("li");
        option.id = `${list.id}-${index}`;
        option.role = "option";
        option.ariaSelected = "false";
        const [called, key] = [document.createElement("bdi"), document.createElement("code")];
        called.textContent = name;
        key.textContent = value;
        option.append(...(name === value ? [key] : [called, " ", key]));
        option.onclick = () => choose(value);
        return option;
      }),
    );
    list.hidden = options.length === 0;
    input.ariaExpanded = String(!list.hidden);
  }

  /** @param {"first" | "last" | undefined} place */
  async function ask(place) {
    clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    try {
      // A redirect leads to the sign-in page.
      const answer = await fetch(`${href}?${new URLSearchParams({ q: input.value.trim() })}`, {
        signal,
        redirect: "error",
      });
      const { options, said } = await answer.json();
      if (signal.aborted) return;
      show(options);
      announcement.textContent = said;
      const [first, last] = [list.firstElementChild, list.lastElementChild];
      const option = place === "last" ? last : first;
      if (place && option instanceof HTMLElement) mark(option);
    } catch {
      if (!signal.aborted) close();
    }
  }

  /** @param {1 | -1} step */
  function move(step) {
    const options = [...list.querySelectorAll("li")];
    const at = marked instanceof HTMLLIElement ? options.indexOf(marked) : step > 0 ? -1 : 0;
    mark(options.at((at + step) % options.length));
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    if (input.value.trim() === "") close();
    else timer = setTimeout(ask, pause);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    // Keys that select a character in an input method must not select an option.
    if (event.isComposing) return;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (!list.hidden) move(key === "ArrowDown" ? 1 : -1);
      else void ask(key === "ArrowDown" ? "first" : "last");
    } else if (key === "Enter" && marked) {
      event.preventDefault();
      marked.click();
    } else if (key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    } else if (key === "Home" || key === "End" || key === "ArrowLeft" || key === "ArrowRight")
      mark(undefined);
  });
  // Keeps the focus in the input while the user presses an option.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
}

/** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */
const fields = document.querySelectorAll("[data-suggestions]");
for (const field of fields) {
  const href = field.dataset.suggestions ?? "";
  if (field instanceof HTMLInputElement) {
    suggest(field, href, (value) => {
      field.value = value;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
    continue;
  }
  const box = document.createElement("div");
  box.className = "combobox";
  const finder = document.createElement("input");
  finder.type = "text";
  finder.autocomplete = "off";
  finder.ariaLabel = finder.placeholder = field.dataset.suggestionsLabel ?? "";
  finder.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  box.append(finder);
  field.after(box);
  suggest(finder, href, (value) => {
    const lines = field.value.split("\n").filter((line) => line.trim() !== "");
    field.value = [...lines.filter((line) => line.trim() !== value), value].join("\n");
    finder.value = "";
  });
}

// Makes this file a module, so its names are local.
export {};
