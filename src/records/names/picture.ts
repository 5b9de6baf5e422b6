/**
 * Maximum length, in characters, of a picture embedded in `settings.brand`, because every page contains the
 * picture.
 */
export const longestInlinePicture = 8192;

/**
 * Returns whether the string is a data URL (RFC 2397) of a picture, at most `longestInlinePicture` long. SVG
 * is refused because it is a document.
 */
export function isInlinePicture(text: string): boolean {
  return (
    text.length <= longestInlinePicture &&
    /^data:image\/(?:avif|gif|jpeg|png|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(text)
  );
}

/**
 * Returns whether pages show this picture: an inline picture, or an https URL whose host is in
 * `picture_hosts` (docs/decisions/pages.md).
 */
export function isShownPicture(address: string, picture_hosts: readonly string[]): boolean {
  if (isInlinePicture(address)) return true;
  const url = URL.parse(address);
  return url?.protocol === "https:" && picture_hosts.includes(url.host);
}
