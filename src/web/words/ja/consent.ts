import { html } from "../../html/html.ts";
import type { ConsentWords } from "../en/consent.ts";
import { plural } from "./plural.ts";

export const consentWords: ConsentWords = {
  title: (client) => `${client} へのアクセスを許可しますか？`,
  heading: (client) => html`${client} にアカウントの利用を許可しますか？`,
  unverified:
    "このアプリはお使いのデバイス上で動作しているため、身元を確認できません。ご自身が今起動した場合にのみ許可してください。",
  able: "許可される内容",
  allowedBefore: "許可済み",
  ownWords: "アプリによる説明",
  undescribed: "説明はありません",
  organization: "組織",
  details: "あなたに関する情報",
  as: "ログイン中のアカウント",
  registeredBy: "登録者",
  beforeNow: "最終利用",
  neverUsed: "このアカウントでは未使用",
  goesTo: "この後の移動先",
  moreScopes: plural({ other: (figure) => `ほか ${figure} 件` }),
  website: "ウェブサイト",
  policy: "プライバシーポリシー",
  terms: "利用規約",
  deny: "拒否",
  allow: "許可",
};
