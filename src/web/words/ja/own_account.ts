import { html } from "../../html/html.ts";
import type { OwnAccountWords } from "../en/own_account.ts";
import { plural } from "./plural.ts";

export const ownAccountWords: OwnAccountWords = {
  email: {
    title: "メールアドレス",
    change: "アドレスを変更",
    lead: "ログインに使用するアドレスです。アカウントに関するメールもここに届きます。",
    now: "現在のアドレス",
    waits: (email) => html`${email} は確認待ちです。`,
    waitsHint:
      "そのアドレスに送信したメール内のリンクを、ログイン中のブラウザーで開いてください。それまでは何も変更されません。",
    cancel: "現在のアドレスのままにする",
    next: "新しいアドレス",
    submit: "リンクを送信",
    noMail: "このサーバーはメールを送信しないため、別のアドレスを確認できません。",
    locked: (time) =>
      html`アドレスは以前のメールボックスから元に戻されました。${time} 以降に再び変更できます。`,
    errors: {
      email: "name@example.com のような形式でメールアドレスを入力してください。",
      same: "現在と同じアドレスです。",
      throttled: "短時間に何度も要求されました。後でもう一度お試しください。",
    },
    confirmTitle: "新しいアドレスの確認",
    confirmLead: (email) =>
      html`今後は ${email} でログインし、アカウントに関するメールもそのアドレスに届きます。`,
    confirm: "このアドレスを使用",
    deadTitle: "このリンクは無効です",
    deadLead: "すでに使用されたか、有効期限が切れたか、別のアカウントのものか、アドレスを使用できません。",
    undoTitle: "アドレスを元に戻す",
    undoLead: (email, time) =>
      html`アカウントのアドレスが ${email} に戻ります。すべてのログインが終了し、${time}が経過するまでアドレスは変更できません。`,
    undo: "アドレスを元に戻す",
    undoneTitle: "アドレスを元に戻しました",
    undoneLead: "アカウントのすべてのログインを終了しました。",
    undoneKept: "アカウントは削除される予定でしたが、維持されます。",
    undoneLink: "今すぐ新しいパスワードを設定してください。そのためのリンクをメールでお送りします。",
    choosePassword: "新しいパスワードを設定",
    outOfDate: "このフォームは期限切れです。もう一度お試しください。",
    mailSubject: (server) => `${server} の新しいアドレスの確認`,
    mailAsked: (server) =>
      `${server} にログインしている人が、このアドレスを自分のアカウントに設定しようとしています。ご自身の操作の場合は、ログイン中のブラウザーで次のリンクを開いてください。`,
    mailButton: "アドレスを確認",
    mailFor: plural({ other: (figure) => `有効期間は ${figure} 分です。` }),
    mailIgnore: "心当たりがない場合は、何もする必要はありません。",
    mailUndo: plural({
      other: (figure) =>
        `${figure} 日間は、次のリンクからこのアドレスに戻し、すべてのログインを終了できます。`,
    }),
  },
  data: {
    title: "あなたのデータ",
    open: "データをダウンロード",
    lead: "このサーバーが保持しているあなたに関するすべての情報を含む、プログラムで読み取れるファイルです。",
    without: "パスワード、鍵、コードは含まれません。ほかの人に読まれない場所に保管してください。",
    download: "ファイルをダウンロード",
    schema: "ファイルの構造（JSON Schema）",
  },
  deletion: {
    title: "アカウントの削除",
    open: "アカウントを削除",
    lead: (time) =>
      `すぐにすべての場所からログアウトされます。${time}が経過するまでは取り消すことができ、その後すべての情報が削除されます。`,
    goes: "削除される内容",
    goesAlways: "名前、画像、アドレス、パスワード",
    memberships: plural({ other: (figure) => `組織への所属 ${figure} 件が終了します` }),
    stays: "監査記録には、名前の代わりに識別子が残ります。",
    successorTitle: "引き継ぎ先",
    successorLead: plural({
      other: (figure) =>
        `組織のアプリとサービスアカウントを ${figure} 個作成しています。引き継ぐメンバーを指定してください。`,
    }),
    successorHint: "引き継ぎはすぐに行われ、削除を取り消しても元には戻りません。",
    successor: "引き継ぎ先のメールアドレス",
    submit: "アカウントを削除",
    errors: {
      successor: "アプリとサービスアカウントが属するすべての組織の有効なメンバーではありません。",
      last_administrator: "あなたは最後のプラットフォーム管理者です。先に別の管理者を任命してください。",
      last_owner: "あなたは組織の最後のオーナーです。先に別のオーナーを任命するか、組織を削除してください。",
    },
    askedTitle: "アカウントは削除される予定です",
    asked: (day) =>
      html`すべての場所からログアウトされました。アカウントを維持するには、${day} より前にログインしてください。`,
    undoTitle: "アカウントを維持しますか？",
    undoLead: (day) => html`${day} に削除される予定です。維持すると、これまでどおりログインできます。`,
    undo: "アカウントを維持",
    undoneTitle: "アカウントは維持されます",
    undoneLead:
      "これまでどおりログインしてください。API キーとアプリのアクセスは、改めて許可する必要があります。",
    signIn: "ログイン",
    deadTitle: "取り消すものはありません",
    deadLead: "もう一度ログインしてください。アカウントはすでに維持または削除されている可能性もあります。",
    mailUntil: (day) =>
      `${day} に、すべての情報とともに削除されます。それまでは、次のリンクから維持できます。`,
  },
};
