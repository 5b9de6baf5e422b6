import type { SetupWords } from "../en/setup.ts";

export const setupWords: SetupWords = {
  title: "セットアップ",
  heading: "Postern のセットアップ",
  lead: "最初の管理者アカウントを作成してください。この操作は 1 回だけ行えます。",
  name: "名前",
  email: "メールアドレス",
  password: "パスワード",
  passwordHint:
    "8 文字以上で入力してください。無関係な単語をいくつか組み合わせると、珍しい単語 1 つより安全です。",
  submit: "管理者を作成",
  doneTitle: "完了",
  done: "Postern の準備ができました",
  doneLead: "最初の管理者を作成しました。このリンクはもう使用できません。",
  signIn: "ログイン",
  waiting: {
    heading: "Postern はまだセットアップされていません",
    lead: "アカウントはまだありません。",
    where: "サーバーは起動時に、ターミナルまたはログにセットアップ用リンクを出力しました。",
    again:
      "リンクは 24 時間以内に 1 回だけ使えます。新しいリンクが必要な場合は、サーバーを再起動してください。",
  },
  errors: {
    name: "1～255 文字の名前を入力してください。",
    email: "メールアドレスの形式が正しくありません。",
    email_taken: "このメールアドレスはすでに使用されています。",
    password_short: "パスワードは 8 文字以上で入力してください。",
    password_long: "パスワードが長すぎます。",
    password_common: "このパスワードはよく使われているため、推測されやすいものです。",
  },
};
