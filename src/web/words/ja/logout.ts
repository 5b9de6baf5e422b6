import { html } from "../../html/html.ts";
import type { LogoutWords } from "../en/logout.ts";

export const logoutWords: LogoutWords = {
  title: "ログアウトしますか？",
  asks: (client) => html`${client} がここからのログアウトを求めています。`,
  signsOut: "このブラウザーからログアウトします。",
  offline: "離席中のアクセスを許可したアプリは、引き続きアクセスできます。",
  keeping: "次のアプリは引き続きアカウントにアクセスできます。",
  stay: "ログインしたままにする",
  submit: "ログアウト",
  submitEverything: "すべてのデバイスからログアウトし、すべてのアクセスを終了",
  doneTitle: "ログアウト完了",
  done: "ログアウトしました",
  safe: "このウィンドウを閉じてもかまいません。",
  noneTitle: "ログインしていません",
  none: "ここではログインしていません",
  noneEnded:
    "終了したセッションはありません。別のデバイスやブラウザーでログインしている場合は、そちらでログアウトしてください。",
  unregistered: "アプリには戻りません。要求された戻り先がこのアプリに登録されていないためです。",
  unproven: "アプリには戻りません。どのアプリからの要求かを確認できなかったためです。",
  returnTo: (client) => html`${client} に戻る`,
  returnToApplication: "アプリに戻る",
  leadsTo: (place) => html`リンク先: ${place}`,
  again: "もう一度ログイン",
};
