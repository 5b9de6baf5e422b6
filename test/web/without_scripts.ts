import { readHtml, type Tag } from "./read_html.ts";

/** Matches elements that only a script could reveal, except the parts of an authenticator ceremony. */
const isHidden = ({ attributes }: Tag) =>
  attributes.has("hidden") && !attributes.has("data-passkey") && !attributes.has("data-signal");

/** A username field next to a password for password managers, which users do not see. */
const isUsername = ({ attributes }: Tag) =>
  attributes.get("autocomplete") === "username" && attributes.has("readonly");

/** Returns the elements of this name with their content, unless they are nested. */
function elements(page: string, name: string): { open: string; content: string }[] {
  const found = page.matchAll(new RegExp(`<${name}\\b([^>]*)>([\\s\\S]*?)</${name}>`, "g"));
  return [...found].map(([, open = "", content = ""]) => ({ open, content }));
}

const ceremony = /<div data-passkey=[\s\S]*?<\/div>/g;

/**
 * Returns the errors of this page in a browser without scripts: a missing heading, a missing button that
 * submits a form, hidden elements, and controls without effect.
 */
export function errorsWithoutScripts(page: string): string[] {
  const errors: string[] = [];
  const { tags } = readHtml(page);
  const headings = elements(page, "h1").map(({ content }) => content.replaceAll(/<[^>]*>/g, "").trim());
  if (headings.length !== 1 || headings[0] === "") errors.push(`has ${headings.length} headings`);
  const plain = page.replaceAll(ceremony, "");
  for (const { open, content } of elements(page, "form")) {
    const id = / id="([^"]*)"/.exec(open)?.[1];
    const buttons = [...plain.matchAll(/<button\b[^>]*type="submit"[^>]*>/g)].map(([button]) => button);
    const sends =
      /<button\b[^>]*type="submit"/.test(content.replaceAll(ceremony, "")) ||
      (id !== undefined && buttons.some((button) => button.includes(` form="${id}"`)));
    // The page requests no passkey if the browser supports none, and says so.
    if (!sends && !isCeremony(content)) errors.push(`a form that nothing sends: ${open.trim()}`);
  }
  for (const tag of tags) {
    const { name, attributes } = tag;
    const said = [name, ...[...attributes].map(([key, value]) => `${key}="${value.slice(0, 40)}"`)].join(" ");
    if (isHidden(tag) && !isUsername(tag)) errors.push(`hidden: ${said}`);
    if ([...attributes.keys()].some((key) => /^on/.test(key))) errors.push(`a handler: ${said}`);
    if (name === "a" && /^(?:#?$|javascript:)/.test(attributes.get("href") ?? "#"))
      errors.push(`a link to nowhere: ${said}`);
  }
  for (const [button] of plain.matchAll(/<button\b(?![^>]*type="submit")[^>]*>/g))
    errors.push(`does nothing: ${button}`);
  const asksForScripts = /<noscript>|data-passkey-unable/.test(page);
  const isOfPasskeys =
    page.includes('src="/assets/passkeys.js"') ||
    /<noscript><p class="quiet" data-passkey-unable>/.test(page);
  if (asksForScripts && !isOfPasskeys) errors.push("asks for scripts");
  return errors;
}

const isCeremony = (content: string) => content.includes("<div data-passkey=");
