import type { Printable } from "../../../web/html/html.ts";
import type { AccountWords } from "../../../web/words/en/account.ts";

/** The name of a browser for a person, from its User-Agent: well-known names alone. */
export type Device = { browser?: string | undefined; system?: string | undefined };

/** By the words in the text. The first match counts, since most browsers also claim to be another. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b|\bOPiOS\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bYaBrowser\//, "Yandex"],
  [/\bMicroMessenger\//, "WeChat"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\b(?:Headless)?Chrome\/|\bChromium\/|\bCriOS\//, "Chrome"],
  [/^(?=.*\bVersion\/\d).*\bSafari\//s, "Safari"],
  [/\bTrident\/|\bMSIE /, "Internet Explorer"],
  [/^curl\//, "curl"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, "Windows"],
  [/\biPhone\b|\biPod\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bHarmonyOS\b|\bOpenHarmony\b/, "HarmonyOS"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b|\bMac OS X\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/**
 * The browser and the system that a `User-Agent` names, as far as they are known. Its text is the caller's.
 */
export function deviceOf(user_agent: string | null): Device {
  const named = (names: typeof browsers) => names.find(([shape]) => shape.test(user_agent ?? ""))?.[1];
  return { browser: named(browsers), system: named(systems) };
}

/** The name of a device on a page. */
export function deviceName({ browser, system }: Device, words: AccountWords["sessions"]): Printable {
  if (browser !== undefined && system !== undefined) return words.onSystem(browser, system);
  return browser ?? system ?? words.unknownDevice;
}
