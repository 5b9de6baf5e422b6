import { html } from "../../html/html.ts";
import type { LostFactorsWords } from "../en/lost_factors.ts";

export const lostFactorsWords: LostFactorsWords = {
  why: "2 段階認証の手段が削除されました。",
  sent: (email) => html`${email} にコードを送信しました。`,
  label: "メールに記載のコード",
  help: (time) => `最新のメールに記載の数字です。有効期間は ${time}です。`,
  wrong: "最新のメールに記載のコードと一致しません。",
  expired: "コードの有効期限が切れました。新しいコードを送信しました。",
  tooMany: "要求が多すぎるため、コードは送信されませんでした。後でもう一度お試しください。",
  mail: {
    subject: (server) => `${server} の確認コード`,
    says: (server) =>
      `${server} のあなたのアカウントへのログインが行われています。2 段階認証の手段が削除されているため、1 回だけこのコードが求められます。`,
    code: (code) => `コード: ${code}`,
    caution:
      "コードを誰にも教えず、ログインを始めた場所にのみ入力してください。心当たりがない場合は、パスワードを変更してください。",
  },
  signedIn: {
    title: "ログインしました",
    lead: "現在、このアカウントには 2 段階認証が設定されていません。パスワードだけでログインされないよう、新しく設定してください。",
    setUp: "2 段階認証を設定",
    later: "設定せずに続ける",
  },
};
