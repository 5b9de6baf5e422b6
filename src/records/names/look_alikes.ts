/**
 * Skeletons of names: names that look the same on a screen have the same skeleton (after UTS 39 section 4).
 * The table is smaller than that of UTS 39: it contains letters that look like Latin ones, from scripts with
 * known spoofing.
 */
import { once } from "../../lazily.ts";

const passesFor: Readonly<Record<string, string>> = {
  a: "аАαΑɑᴀɐⲀⲁᎪꓮạӑ",
  b: "ЬьвВβΒЪъƄƅʙɓᏼꓐⲂⲃᑲᏏ",
  c: "сСϲϹᴄⅽҫҪⲤⲥᏟꓚƈↄᑕ",
  d: "ԁԀᴅɗɖᎠꓓᑯᏧđĐð",
  e: "еЕεΕєЄɛᴇəǝәӘⲈⲉᎬꓰҽҼ℮ɘ",
  f: "ƒғҒꜰϝϜꓝᖴẝſ",
  g: "ԍԌɡɢցᏀꓖɠǥǤᶃ",
  h: "нНһҺʜΗհⲎⲏᎻꓧħĦɦᏂң",
  j: "јЈϳͿᴊյᎫꓙȷɉ",
  k: "кКκΚᴋⲔⲕᏦꓗƙқҚҝ",
  l: "iIlL1ıɩɪіІιΙӏӀǀⅼłŁʟᎥᏞꓡꓲⲒⲓו\u05dfاɭĿŀןլӀﺍɬ",
  m: "мМΜᴍⅿⲘⲙᎷꓟɱӎ",
  n: "пηνΝɴոռոňⲚⲛꓠɲŋŊƞпҧח",
  o: "оОοΟσ0օՕᴏⲞⲟⲠꓳөӨᎾѳѲøØסه٥०০੦૦௦౦൦๐໐ဝ၀ⵔ೦",
  p: "рРρΡᴘϱϸⲢⲣᏢꓑƥþÞ",
  q: "ԛԚզգʠϙ",
  r: "гГʀɾɼᏒᎡꓣⲄᴦɍ",
  s: "ѕЅꜱʂՏᏚꓢƽƨ5",
  t: "тТτΤᴛⲦⲧᎢꓔƭŧŦτ",
  u: "υսᴜʋꓴцԱμµʉᑌՍ",
  v: "ѵѴᴠⅴᏙꓦʌѷ",
  w: "ԝԜшѡѠщᴡωաᎳꓪɯⱳ",
  x: "хХχΧⅹҳҲⲬⲭꓫᕁ",
  y: "уУγΥүҮʏɣყꓬⲨⲩƴỿᎩ",
  z: "ᴢΖζʐⲌⲍᏃꓜƶ",
  "3": "зЗӡӠȝȜʒƷⳌɜ",
  "4": "чЧᏎ",
  "6": "бᏮ",
  "8": "Ȣȣ",
  ae: "æÆӕӔ",
  oe: "œŒ",
  ss: "ßẞ",
  lo: "юЮ",
  ll: "ыЫǁ",
};

const readAs: ReadonlyMap<string, string> = new Map(
  Object.entries(passesFor).flatMap(([letter, others]) => [...others].map((other) => [other, letter])),
);

const signs: Readonly<Record<string, string>> = {
  ...{ "@": "a", "¢": "c", "©": "c", "€": "e", "!": "l", "|": "l", "∣": "l", "│": "l", "○": "o", "◯": "o" },
  ...{ $: "s", "§": "s", "†": "t", "∨": "v", "×": "x", "¥": "y", "∞": "8" },
};

/** Pairs that look like one letter in most typefaces. */
const joined: readonly (readonly [RegExp, string])[] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/cl/g, "d"],
];

/**
 * Returns the appearance of a name: without combining marks, invisible characters, symbols and spaces, and
 * with each look-alike replaced by its Latin letter. For comparison only, never for display.
 */
export function skeletonOf(name: string): string {
  const bare = [...name.normalize("NFKD")]
    .filter((character) => !/[\p{M}\p{Default_Ignorable_Code_Point}\p{C}]/u.test(character))
    .map(
      (character) => readAs.get(character) ?? readAs.get(character.toLowerCase()) ?? character.toLowerCase(),
    )
    .join("");
  const letters = bare.replace(/[^\p{L}\p{N}]/gu, "");
  return joined.reduce((text, [pair, letter]) => text.replace(pair, letter), letters);
}

/** Returns the skeletons of the names for which a name may be mistaken. */
export function readingsOf(name: string): readonly string[] {
  const read = [...name].map((character) => signs[character] ?? character).join("");
  return [skeletonOf(name), skeletonOf(read)];
}

/** Returns whether a name may be mistaken for one whose skeleton is in `known`. */
export function isMistakable(name: string, known: ReadonlySet<string>): boolean {
  return readingsOf(name).some((reading) => known.has(reading));
}

const writtenTogether = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/** Compiled at first use, because compiling the script classes takes 4 % of a server start. */
const ofScripts = once(() => [...writtenTogether, ...alone.map((script) => [script])].map(wordOf));

function wordOf(scripts: readonly string[]): RegExp {
  const classes = scripts.map((script) => `\\p{Script_Extensions=${script}}`).join("");
  return new RegExp(`^[${classes}\\p{Script=Common}\\p{M}]*$`, "u");
}

/**
 * Further scripts that are in use today (UAX 31, table 5). A word with letters of one of them may contain no
 * other script.
 */
const alone = [
  ...["Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek", "Gujarati"],
  ...["Gurmukhi", "Hebrew", "Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil"],
  ...["Telugu", "Thaana", "Thai", "Tibetan"],
];

/** Joiners that a script or an emoji needs. In other places, they have no visible effect. */
const visibleJoiners =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{M}\p{Emoji}])[\u200c\u200d]|(?<=\p{Emoji})\ufe0f/gu;

/**
 * Returns whether a name disguises itself, for example with invisible characters or letters of several
 * scripts in one word.
 */
export function isDeceptiveName(name: string): boolean {
  const text = name.normalize("NFC").replace(visibleJoiners, "");
  if (/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u.test(text)) return true;
  if (/\p{Mn}{4}/u.test(text)) return true;
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u);
  return !words.every((word) => ofScripts().some((script) => script.test(word)));
}
