import { html } from "../../html/html.ts";
import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "アカウントの選択",
  lead: "どのアカウントで続けますか？",
  another: "別のアカウントを使用",
  meanwhile: {
    lead: (present) => html`別のウィンドウで ${present} としてログインしました。`,
    goOn: (present) => html`${present} として続ける`,
    signInAs: (other) => html`${other} としてログイン`,
  },
  organization: {
    title: "組織の選択",
    lead: (app) => html`${app} でどの組織を使って続けますか？`,
    last: "前回使用",
    find: "組織を検索",
    search: "検索",
    none: "一致する組織がありません。",
    more: "最初の 20 件を表示しています。ほかの組織は検索してください。",
    cancel: "キャンセル",
  },
  membersOnly: {
    title: "このアプリケーションは利用できません",
    of: (app, organization) => html`${app} は ${organization} のメンバー専用です。`,
    ofAny: (app) => html`${app} はこのサーバーの組織のメンバー専用です。`,
    hint: "招待を受けている場合は、招待メールのリンクを開いてください。そうでない場合は、組織の管理者に追加を依頼してください。",
    byRole: {
      of: (app, organization) =>
        html`${app} は ${organization} で特定のロールまたはグループを持つメンバー専用です。`,
      ofAny: (app) => html`${app} は組織で特定のロールまたはグループを持つメンバー専用です。`,
      hint: "組織の管理者にアクセス権を依頼してください。",
    },
    back: "アプリケーションに戻る",
  },
};
