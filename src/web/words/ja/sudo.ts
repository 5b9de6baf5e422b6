import { html } from "../../html/html.ts";
import type { SudoWords } from "../en/sudo.ts";
import { plural } from "./plural.ts";

export const sudoWords: SudoWords = {
  title: "ご本人であることの確認",
  lead: "ご自身やほかの方のアカウントを保護する設定を変更しようとしています。まだ何も変更されていません。",
  password: "パスワード",
  wrongPassword: "パスワードが正しくありません。",
  mailboxLead: (email) => html`${email} にコードを送信できます。`,
  providerLead: "プロバイダーでもう一度ログインしてください。その後、ここに戻ります。",
  confirmWith: (provider) => `${provider} で確認`,
  confirmedLead: "ご本人であることを確認しました。操作を完了してください。",
  finish: "完了",
  sendAgain: (time) =>
    `入力内容が長すぎて保持できませんでした。前のページに戻って、もう一度送信してください。${time}は再確認を求められません。`,
  sendMailCode: "コードを送信",
  mailCodeLabel: "メールに記載のコード",
  mailCodeHelp: (time) => `有効期間は ${time}で、使用できるのは 1 回だけです。`,
  wrongMailCode: "コードが正しくないか、有効期限が切れています。",
  mailSubject: (server) => `${server} の確認コード`,
  mailAsked: (server) =>
    `${server} で、アカウントを保護する設定が変更されようとしています。次のコードで確認してください。`,
  mailMinutes: plural({ other: (figure) => `このコードは ${figure} 分間、1 回だけ使用できます。` }),
  mailOther:
    "心当たりがない場合は、ほかの人があなたのアカウントにログインしています。セッションを終了し、サーバーの管理者に連絡してください。",
  throttled: "短時間に何度も試行されました。",
  changedMeanwhile: "同時に別のウィンドウで確認が行われました。ここでもう一度確認してください。",
  noWay:
    "このアカウントには、ここでの確認に使える方法が設定されていません。サーバーの管理者にお問い合わせください。",
  lostPasskey: "このパスキーは手元にありません",
  cancel: "キャンセル",
  submit: "確認して続ける",
};
