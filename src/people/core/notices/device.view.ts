import type { Printable } from "../../../web/html/html.ts";
import type { AccountWords } from "../../../web/words/en/account.ts";

export type Device = { browser?: string | undefined; system?: string | undefined };

/** The first match counts, because most browsers also claim to be another. */
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

/** Returns what a `User-Agent` names, which the client chooses and which is therefore not trusted. */
export function deviceOf(user_agent: string | null): Device {
  const named = (names: typeof browsers) => names.find(([shape]) => shape.test(user_agent ?? ""))?.[1];
  return { browser: named(browsers), system: named(systems) };
}

export function deviceName({ browser, system }: Device, words: AccountWords["sessions"]): Printable {
  if (browser !== undefined && system !== undefined) return words.onSystem(browser, system);
  return browser ?? system ?? words.unknownDevice;
}
