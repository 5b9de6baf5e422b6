import type { SignUpWords } from "../en/sign_up.ts";
import { plural } from "./plural.ts";

export const signUpWords: SignUpWords = {
  link: "アカウントを作成",
  title: "アカウントの作成",
  lead: "メールアドレスを入力してください。続きの手順をメールでお送りします。",
  domains: (domains) => `登録できるのは次のドメインのアドレスです: ${domains}`,
  invited: "招待された方が登録できます。",
  submit: "メールを送信",
  askedTitle: "メールをご確認ください",
  askedLead: plural({
    other: (figure) =>
      `このアドレスで登録できる場合は、メールをお送りしています。${figure} 分以内にメール内のリンクを開くか、コードをここに入力してください。`,
  }),
  askedHint: "数分経っても届かない場合は、迷惑メールフォルダーを確認し、アドレスが正しいかお確かめください。",
  code: "メールに記載のコード",
  useCode: "続ける",
  wrongCode: "メールに記載のコードと一致しません。",
  endedCode: "このコードは無効です。メール内のリンクを開くか、新しいメールを要求してください。",
  askAgain: "新しいメールを要求",
  finishTitle: "アカウントの作成",
  finishLead: "名前とパスワードを設定すると、アカウントが完成します。",
  make: "アカウントを作成",
  existsTitle: "すでにアカウントがあります",
  existsLead: "このアドレスのアカウントがすでにあります。そのアカウントでログインしてください。",
  deadTitle: "このリンクは有効期限が切れたか、すでに使用されています",
  deadLead: "アカウントを作成するには、新しいメールを要求してください。",
  readyTitle: "アカウントの準備ができました",
  readyLead:
    "ここではログイン済みです。別のブラウザーやアプリで始めた場合は、そこに戻ってログインしてください。",
  toAccount: "アカウントへ",
  mailSubject: (server) => `${server} のアカウントの作成`,
  mailAsked: (server) =>
    `${server} で、このアドレスによるアカウントの作成が要求されました。次のリンクから続けてください。`,
  mailButton: "アカウントを作成",
  mailCode: (code) => `手続きを始めたブラウザーでは、代わりに次のコードを入力することもできます: ${code}`,
  mailOnce: plural({ other: (figure) => `リンクとコードの有効期間は ${figure} 分です。` }),
  mailIgnore:
    "心当たりがない場合は、何もする必要はありません。コードを誰にも教えなければ、アカウントは作成されません。",
  mailExists: (server) =>
    `${server} で、このアドレスによるアカウントの作成が要求されましたが、アカウントはすでにあります。こちらからログインしてください。`,
  mailForgot: "パスワードがわからない場合は、こちらで新しいパスワードを設定してください。",
  mailInactive: (server) =>
    `${server} で、このアドレスによるアカウントの作成が要求されましたが、アカウントはすでにあり、無効になっています。サーバーの管理者が有効に戻すことができます。`,
};
