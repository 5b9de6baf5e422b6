import { html } from "../../html/html.ts";
import type { OpenConsentWords } from "../en/open_consent.ts";

export const openConsentWords: OpenConsentWords = {
  unknown: "不明なアプリ",
  verified: "確認済みのアドレス",
  unproven: "アプリ自身による登録（未確認）",
  callsItself: (name) => html`自称の名前: ${name}`,
  saidByItself: "アプリケーション自身による情報で、確認されていません",
  hiddenName: {
    deceptive: "アプリが名乗る名前は、誤解を招くおそれのある表記のため表示していません。",
    resembles: "アプリが名乗る名前は、別のアプリと紛らわしいため表示していません。",
  },
  warning: {
    loopback:
      "応答はこのデバイス上のプログラムに送られますが、どのプログラムかは確認できません。ご自身が今起動した場合にのみ許可してください。",
    private_scheme:
      "応答は、この種のアドレスを開くデバイス上のプログラムに送られますが、どのプログラムかは確認できません。ご自身が今起動した場合にのみ許可してください。",
  },
  answersAt: (places) => html`応答の送信先: ${places}`,
  newly: "新たに許可される内容",
  already: "許可済み",
  at: "対象",
  identifier: "識別子",
};
