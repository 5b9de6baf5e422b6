import { html } from "../../html.ts";
import type { LogoutWords } from "../en/logout.ts";

export const logoutWords: LogoutWords = {
  title: "ログアウトしますか？",
  asks: (client) => html`${client} がここからのログアウトを求めています。`,
  signsOut: "このブラウザーからログアウトします。",
  offline: "離席中のアクセスを許可したアプリは、引き続きアクセスできます。",
  stay: "ログインしたままにする",
  submit: "ログアウト",
  doneTitle: "ログアウト完了",
  done: "ログアウトしました",
  safe: "このウィンドウを閉じてもかまいません。",
  returnTo: (client) => html`${client} に戻る`,
  returnToApplication: "アプリに戻る",
  leadsTo: (place) => html`リンク先: ${place}`,
  again: "もう一度ログイン",
};
