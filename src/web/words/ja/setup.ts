import type { SetupWords } from "../en/setup.ts";

export const setupWords: SetupWords = {
  title: "セットアップ",
  heading: "Postern のセットアップ",
  lead: "最初の管理者アカウントを作成してください。この操作は 1 回だけ行えます。",
  name: "名前",
  email: "メールアドレス",
  password: "パスワード",
  submit: "管理者を作成",
  doneTitle: "完了",
  done: "Postern の準備ができました",
  doneLead: "最初の管理者を作成しました。このリンクはもう使用できません。",
  signIn: "ログイン",
  waiting: {
    heading: "Postern はまだセットアップされていません",
    lead: "アカウントはまだありません。",
    where: "サーバーは起動時に、ターミナルまたはログにセットアップ用リンクを出力しました。",
    again: (time) =>
      `リンクは ${time}以内に 1 回だけ使えます。新しいリンクが必要な場合は、サーバーを再起動してください。`,
  },
  errors: {
    email: "メールアドレスの形式が正しくありません。",
    email_taken: "このメールアドレスはすでに使用されています。",
    password_short: "パスワードが短すぎます。",
    password_long: "パスワードが長すぎます。",
    password_common: "このパスワードはよく使われているため、推測されやすいものです。",
  },
};
