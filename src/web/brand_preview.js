// @ts-check
// Enhancements of the brand form: a color picker, choosing a picture from this device, and a preview that
// follows the input.

/** @type {HTMLElement | null} */
const preview = document.querySelector("[data-brand-preview]");

/** @param {string} name */
function field(name) {
  const found = document.getElementsByName(name)[0];
  return found instanceof HTMLInputElement ? found : undefined;
}

const { name: nameOf, accent: accentOf, logo: logoOf, or = "" } = preview?.dataset ?? {};
const [name, accent, logo] = [nameOf, accentOf, logoOf].map((each) => (each ? field(each) : undefined));
const sheet = preview?.querySelector("link") ?? document.createElement("link");
sheet.rel = "stylesheet";
const title = preview?.querySelector(".brand-name");
const portrait = preview?.querySelector(".portrait");

function show() {
  const called = name?.value.trim() || field("name")?.value.trim() || or;
  if (title) title.textContent = called;
  const [, hex] = /^#([0-9a-f]{6})$/i.exec(accent?.value.trim() ?? "") ?? [];
  // If the color is unreadable, this style sheet contains the nearest readable color.
  if (hex) sheet.href = `/assets/brand/accent-${hex.toLowerCase()}.css`;
  if (hex) preview?.append(sheet);
  else sheet.remove();
  if (!portrait) return;
  const address = logo?.value.trim() || field("logo_url")?.value.trim() || "";
  const letter = [...called][0]?.toUpperCase() ?? "?";
  const picture = new Image();
  picture.alt = "";
  // A picture that cannot be shown here cannot be shown on other pages either. The content security policy
  // may forbid its host.
  picture.onerror = () => portrait.replaceChildren(letter);
  if (!/^(https:|data:image\/)/.test(address)) return portrait.replaceChildren(letter);
  picture.src = address;
  portrait.replaceChildren(picture);
}

preview?.closest("form")?.addEventListener("input", show);

if (accent) {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.ariaLabel = accent.labels?.[0]?.textContent ?? "";
  /** Returns the default color, read from the submit button. Browsers report it as `rgb(14, 102, 85)`. */
  const usual = () => {
    const buttons = [...(accent.form?.querySelectorAll(".primary") ?? [])];
    const { backgroundColor } = getComputedStyle(buttons.find((each) => !preview?.contains(each)) ?? picker);
    const parts = (backgroundColor.match(/\d+/g) ?? []).slice(0, 3);
    return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
  };
  const follow = () => {
    const typed = accent.value.trim();
    if (/^#[0-9a-f]{6}$/i.test(typed)) picker.value = typed;
    else if (typed === "") picker.value = usual();
  };
  follow();
  accent.addEventListener("input", follow);
  picker.addEventListener("input", () => {
    accent.value = picker.value;
    show();
  });
  accent.after(picker);
}

/** Side lengths of the logo in pixels. The largest picture whose data URL fits into the field is used. */
const sides = [128, 96, 64, 48, 32];

if (logo) {
  const chooser = document.createElement("input");
  chooser.type = "file";
  chooser.accept = "image/png,image/jpeg,image/webp,image/gif,image/avif";
  chooser.ariaLabel = preview?.dataset.choose ?? "";
  chooser.addEventListener("change", async () => {
    const [file] = chooser.files ?? [];
    if (!file) return;
    const picture = await createImageBitmap(file).catch(() => undefined);
    chooser.setCustomValidity(picture ? "" : (preview?.dataset.unreadable ?? ""));
    chooser.reportValidity();
    if (!picture) return;
    const scale = Math.max(picture.width, picture.height);
    for (const side of sides) {
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round((picture.width * side) / scale));
      canvas.height = Math.max(1, Math.round((picture.height * side) / scale));
      canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
      const address = ["image/png", "image/webp"]
        .map((type) => canvas.toDataURL(type, 0.9))
        .find(({ length }) => length <= logo.maxLength);
      if (!address) continue;
      logo.value = address;
      return show();
    }
  });
  logo.after(chooser);
}

// Makes this file a module, so its names are local.
export {};
