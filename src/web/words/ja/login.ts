import { html } from "../../html/html.ts";
import type { LoginWords } from "../en/login.ts";
import { plural } from "./plural.ts";

export const loginWords: LoginWords = {
  title: "ログイン",
  lead: "メールアドレスとパスワードを入力してください",
  leadTo: (client) => html`${client} を利用するにはログインしてください`,
  email: "メールアドレス",
  password: "パスワード",
  submit: "ログイン",
  keepSignedIn: {
    label: plural({ other: (figure) => `${figure} 日間ログインしたままにする` }),
    help: "ご自身のデバイスでのみ選択してください。ログアウトすると終了します。",
  },
  failures: {
    refused: "メールアドレスまたはパスワードが正しくありません。",
    throttled: "試行回数が多すぎます。",
    out_of_date: "このフォームは期限切れです。もう一度お試しください。",
  },
  again: {
    title: "ご本人であることの確認",
    asked: (client) => html`${client} を利用するには、もう一度ログインしてください。`,
    tooOld: (client) =>
      html`前回のログインから時間が経っています。${client} を利用するには、もう一度ログインしてください。`,
    application: "このアプリ",
    signedInAs: (name) => html`${name} としてログインしています。`,
  },
  why: "パスワードが推測されるのを防ぐための措置です。ほかの機能はこれまでどおり利用できます。",
  againInSeconds: plural({ other: (figure) => `${figure} 秒後にもう一度お試しください。` }),
  againInMinutes: plural({ other: (figure) => `${figure} 分後にもう一度お試しください。` }),
};
