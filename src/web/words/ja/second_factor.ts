import { html } from "../../html/html.ts";
import type { SecondFactorWords } from "../en/second_factor.ts";
import { plural } from "./plural.ts";

export const secondFactorWords: SecondFactorWords = {
  title: "2 段階認証",
  lead: (email) => html`ご本人（${email}）であることをもう一度確認してください。`,
  submit: "続ける",
  cancel: "キャンセル",
  others: "その他の方法",
  lost: "すべて失いました",
  ways: {
    passkey: "パスキーを使用",
    totp: "認証アプリを使用",
    recovery_code: "リカバリーコードを使用",
    mail_code: "メールのコードを使用",
  },
  totp: {
    label: "認証アプリのコード",
    help: "アプリに現在表示されている 6 桁の数字です。",
    wrong:
      "コードが正しくないか、すでに使用されています。アプリに現在表示されているコードを入力してください。",
    late: "このコードは数分前のものです。デバイスの時計がずれています。デバイスの時刻を自動設定にしてから、新しいコードを入力してください。",
  },
  recoveryCode: {
    label: "リカバリーコード",
    help: "保管している 16 文字のコードの 1 つです。各コードは 1 回だけ使用できます。",
    wrong: "リカバリーコードではないか、すでに使用されています。",
  },
  remember: {
    label: plural({ other: (figure) => `このデバイスでは ${figure} 日間確認しない` }),
    help: "ご自身のデバイスでのみ選択してください。パスワードは引き続き求められます。",
  },
  passkey: { none: "ここで使用できるパスキーがありません。別の方法を選んでください。" },
  ended: {
    title: "誤ったコードの入力が多すぎます",
    lead: "安全のため、このログインは終了しました。パスワードからやり直してください。",
    again: "もう一度ログイン",
  },
  used: {
    title: "ログインしました",
    advice:
      "認証アプリを失った場合は、それを削除して別のアプリを追加してください。新しいコードを作成すると、現在のコードと置き換わります。",
    security: "アカウントのセキュリティ",
    goOn: "続ける",
  },
};
