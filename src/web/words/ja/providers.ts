import { html } from "../../html/html.ts";
import type { ProviderWords } from "../en/providers.ts";

export const providerWords: ProviderWords = {
  continueWith: (provider) => `${provider} で続ける`,
  lastUsed: "前回使用",
  or: "または",
  otherWays: "その他のログイン方法",
  tryAgain: "もう一度試す",
  begin: (provider) => `${provider} でログイン`,
  back: "戻る",
  reference: "管理者向けの参照番号",
  newAccount: {
    title: "アカウントの作成",
    lead: (provider) =>
      html`${provider} でログインしましたが、ここにはまだアカウントがありません。次のアカウントが作成されます。`,
    email: "メールアドレス",
    provider: "ログイン方法",
    account: "プロバイダーでのアカウント",
    memberOf: "所属",
    byLink: (organization) =>
      html`${organization} への招待が届いています。参加するには、アカウントの作成後に招待メールのリンクを開いてください。`,
    name: "名前",
    nameError: "名前を入力してください。",
    emailError:
      "このサーバーでは、このメールアドレスのアカウントを使用できません。別の方法でログインしてください。",
    submit: "アカウントを作成",
    cancel: "キャンセル",
    existing: "すでにアカウントを持っています",
  },
  prove: {
    title: "すでにアカウントをお持ちですか？",
    lead: (provider) =>
      html`${provider} のアカウントでアクセスしましたが、このサーバーのアカウントとはまだ連携されていません。`,
    signIn: "通常の方法でログイン",
    signInLead: "ログイン後、2 つのアカウントを連携するかどうかを選択できます。",
    noMail:
      "このサーバーはメールを送信せず、メールアドレスを確認できないため、アカウントを作成できません。ここにアカウントをお持ちでない場合は、管理者に依頼してください。",
    mailLead: "または、メールアドレスを確認してください。",
    email: "メールアドレス",
    send: "コードを送信",
    code: "メールに記載のコード",
    codeLead: (email, time) => html`コードを ${email} に送信しました。有効期間は ${time}です。`,
    useCode: "続ける",
    sendAgain: "別のコードを送信",
  },
  failures: {
    email: "メールアドレスを入力してください。",
    wrong_code: "コードが正しくありません。メールをもう一度ご確認ください。",
    code_ended: "このコードは無効です。新しいコードを送信してください。",
    throttled: "要求が多すぎます。数分後にもう一度お試しください。",
    no_mail: "このサーバーはメールを送信しません。通常の方法でログインしてください。",
  },
  offerLink: {
    title: "アカウントを連携しますか？",
    lead: (provider, email) =>
      html`連携すると、${provider} のアカウントでも ${email} としてログインできるようになります。`,
    organization: (provider, organization) =>
      html`今後は ${organization} の ${provider} でログインできるようになります。その運営者は、あなたとしてログインできる可能性があります。`,
    account: "プロバイダーでのアカウント",
    submit: "連携する",
    skip: "連携しない",
  },
  ask_to_switch: {
    title: "別のユーザーとしてログインしますか？",
    lead: (present, other) =>
      html`${present} としてログインしています。このアカウントは ${other} のものです。`,
    submit: (other) => html`${other} として続ける`,
    stay: (present) => html`${present} のまま続ける`,
  },
  goOn: {
    title: "あと少しで完了です",
    lead: (provider) => html`${provider} から戻りました。`,
    submit: "続ける",
  },
  refusals: {
    failed: {
      title: "ログインできませんでした",
      message: (provider) => `${provider} でのログインに失敗しました。`,
      hint: "もう一度試すか、別の方法でログインしてください。",
    },
    unreachable: {
      title: "応答がありません",
      message: (provider) => `${provider} は現在応答していません。`,
      hint: "別の方法でログインするか、後でもう一度お試しください。",
    },
    not_fresh: {
      title: "もう一度ログインしてください",
      message: (provider) => `再ログインが必要ですが、${provider} で求められませんでした。`,
      hint: "もう一度試すか、別の方法でログインしてください。",
    },
    cannot_freshen: {
      title: "別の方法でログインしてください",
      message: (provider) => `アプリが再ログインを求めていますが、${provider} では行えません。`,
      hint: "パスワードまたはパスキーを使用してください。どちらもない場合は、先にアカウントにログインして追加してください。",
    },
    unsolicited: {
      title: "ここからログインを始めてください",
      message: (provider) =>
        `${provider} からのこの応答は、このブラウザーで始めたログインのものではありません。`,
      hint: "時間がかかりすぎたか、別の場所で始められた可能性があります。ここから始めてください。",
    },
    void: {
      title: "もう一度ログインを始めてください",
      message: (provider) => `その間に、${provider} のアカウントの連携または連携解除が行われました。`,
      hint: "最初からやり直すと、もう一度確認されます。",
    },
    no_account: {
      title: "まだアカウントがありません",
      message: (provider) => `${provider} だけでは、ここにアカウントを作成できません。`,
      hint: "アカウントをお持ちの場合は別の方法でログインしてください。お持ちでない場合は、管理者に依頼してください。",
    },
    refuse_inactive: {
      title: "ログインできません",
      message: (provider) =>
        `この ${provider} のアカウントに対応するこのサーバーのアカウントは使用できません。`,
      hint: "別のアカウントでログインするか、管理者にお問い合わせください。",
    },
    beyond_reach: {
      title: "別の方法でログインしてください",
      message: (provider) => `${provider} では、このアカウントにログインできません。`,
      hint: "このプロバイダーは、組織がそのメンバーのために運営しています。ほかの管理を担当する方は使用できません。",
    },
    linked_elsewhere: {
      title: "連携できませんでした",
      message: (provider) => `この ${provider} のアカウントは、別のアカウントと連携されています。`,
      hint: "プロバイダーの別のアカウントを使用するか、現在の連携を解除してください。",
    },
    other_account: {
      title: "連携しているアカウントではありません",
      message: (provider) =>
        `これは、あなたのアカウントと連携している ${provider} のアカウントではありません。`,
      hint: "連携しているアカウントで、もう一度お試しください。",
    },
    throttled: {
      title: "しばらくお待ちください",
      message: (provider) => `${provider} でのログインの開始が多すぎます。`,
      hint: "数秒後にもう一度お試しください。",
    },
  },
  linking: {
    title: "別のアカウントを連携",
    lead: "連携すると、そのアカウントでログインできるようになります。",
    link: (provider) => `${provider} を連携`,
    lastWay: "これは唯一のログイン方法です",
    lastWayLead: "先にパスワードを設定するか、パスキーを追加するか、別のアカウントを連携してください。",
  },
  mail: {
    subject: (server) => `${server} の確認コード`,
    lead: (server, provider) =>
      `${server} で、このアドレスを ${provider} のアカウントと一緒に使用することが要求されました。コードは次のとおりです。`,
    minutes: (time) => `有効期間は ${time}です。コードを求められたページにのみ入力してください。`,
    other: "心当たりがない場合は、何もする必要はありません。コードがなければ何も起こりません。",
  },
};
