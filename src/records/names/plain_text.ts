/**
 * Text that other users read: it contains no invisible character, and none that changes how the rest is
 * displayed (Unicode TR 36).
 */

const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Joiners and selectors: emoji consist of several characters joined by them, and some scripts join or
 * separate letters with them.
 */
const joined =
  /\p{Extended_Pictographic}(?:(?:\p{Emoji_Modifier}|\uFE0F)*\u200D\p{Extended_Pictographic})*(?:\p{Emoji_Modifier}|\uFE0F)*|[0-9#*]\uFE0F\u20E3|(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}])(?:\u200C|\u200D)/gu;

/** `lines` may also contain tabs and line ends. */
export type PlainText = "line" | "lines";

export function isPlainText(text: string, as: PlainText): boolean {
  const read = as === "lines" ? text.replaceAll(/[\t\r\n]/g, " ") : text;
  return !unseen.test(read.replaceAll(joined, ""));
}
