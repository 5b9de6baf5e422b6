/** Characters of a picture inside `settings.brand` itself: the page contains it. */
export const longestInlinePicture = 8192;

/**
 * Whether the text is a small picture itself (RFC 2397): of a kind that holds pixels alone. SVG is none, for
 * it is a document.
 */
export function isInlinePicture(text: string): boolean {
  return (
    text.length <= longestInlinePicture &&
    /^data:image\/(?:avif|gif|jpeg|png|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(text)
  );
}

/**
 * Whether pages show the picture of this address, whose host has to be one of these (docs/decisions/pages.md).
 */
export function isShownPicture(address: string, picture_hosts: readonly string[]): boolean {
  if (isInlinePicture(address)) return true;
  const url = URL.parse(address);
  return url?.protocol === "https:" && picture_hosts.includes(url.host);
}
