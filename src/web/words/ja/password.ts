import { html } from "../../html/html.ts";
import type { PasswordWords } from "../en/password.ts";
import { plural } from "./plural.ts";

export const passwordWords: PasswordWords = {
  forgotLink: "パスワードをお忘れの場合",
  forgotTitle: "パスワードをお忘れの場合",
  forgotLead: "メールアドレスを入力してください。新しいパスワードを設定するためのリンクをお送りします。",
  email: "メールアドレス",
  sendLink: "リンクを送信",
  backToSignIn: "ログインに戻る",
  outOfDate: "このフォームは期限切れです。もう一度お試しください。",
  emailError: "name@example.com のような形式でメールアドレスを入力してください。",
  tooMany: "短時間に何度も要求されました。",
  askedTitle: "メールをご確認ください",
  askedLead: plural({
    other: (figure) =>
      `このアドレスのアカウントがある場合は、メールをお送りしています。メール内のリンクは ${figure} 分間、1 回だけ使用できます。`,
  }),
  askedHint:
    "数分経っても届かない場合は、迷惑メールフォルダーを確認し、アカウントのアドレスと一致しているかお確かめください。",
  askedFor: (email) => html`入力されたアドレス: ${email}`,
  otherAddress: "別のアドレスを使用",
  signInOtherwise: {
    lead: "このアカウントにはパスワードがありません。これまでどおりログインし、心当たりのないものをすべて削除してください。",
    passkey: "パスキーでログイン",
    provider: (provider) => `${provider} のアカウントでログイン`,
  },
  offTitle: "メールは送信されません",
  offLead:
    "このサーバーはメールを送信しないため、リンクをお送りできません。管理者に新しいパスワードの設定を依頼してください。",
  resetTitle: "新しいパスワードの設定",
  resetLead: "すべての場所からログアウトされるため、新しいパスワードでログインしてください。",
  newPassword: "新しいパスワード",
  newPasswordAgain: "新しいパスワード（確認）",
  passwordHint: plural({
    other: (figure) =>
      `${figure} 文字以上で入力してください。無関係な単語をいくつか組み合わせると、珍しい単語 1 つより安全です。`,
  }),
  setPassword: "パスワードを設定",
  tooShort: "パスワードが短すぎます。",
  tooLong: "パスワードが長すぎます。",
  tooCommon: "このパスワードはよく使われているため、推測されやすいものです。",
  differs: "2 つのパスワードが一致しません。",
  deadTitle: "このリンクは有効期限が切れたか、すでに使用されています",
  deadLead: "新しいリンクに置き換えられた可能性があります。新しいリンクを要求してください。",
  askAgain: "新しいリンクを要求",
  doneTitle: "パスワードを設定しました",
  doneLead: "すべての場所からログアウトされました。新しいパスワードでログインしてください。",
  signIn: "ログイン",
  mailGreeting: "こんにちは。",
  mailSubject: (server) => `${server} の新しいパスワードの設定`,
  mailAsked: (server) =>
    `${server} で、このアドレスのアカウントの新しいパスワードが要求されました。次のリンクから設定できます。`,
  mailButton: "新しいパスワードを設定",
  mailOnce: plural({
    other: (figure) =>
      `このリンクは ${figure} 分間、1 回だけ使用できます。再度要求した場合は、最新のリンクのみ有効です。`,
  }),
  mailIgnore: "心当たりがない場合は、何もする必要はありません。パスワードは変更されません。",
  mailNoWaySubject: (server) => `${server} のアカウントについて`,
  mailInactive: (server) =>
    `${server} で、このアドレスのアカウントの新しいパスワードが要求されました。このアカウントは無効になっているため、パスワードを設定できません。サーバーの管理者が有効に戻すことができます。`,
  mailNoPassword: (server) =>
    `${server} で、このアドレスのアカウントの新しいパスワードが要求されました。このアカウントにはパスワードがありません。次の方法でログインしてください。`,
  mailByPasskey: "・登録済みのパスキー",
  mailByProvider: (provider) => `・${provider} のアカウント`,
  mailSetLater: "ログイン後、「アカウント」でパスワードを設定できます。",
  mailNothingToDo: "心当たりがない場合は、何もする必要はありません。",
};
