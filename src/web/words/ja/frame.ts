import { html } from "../../html/html.ts";
import type { FrameWords } from "../en/frame.ts";
import { plural } from "./plural.ts";

export const frameWords: FrameWords = {
  skip: "本文へ移動",
  rightAddress: (address) =>
    html`ブラウザーからこのサーバーの Cookie が送信されませんでした。ページは ${address} で、Cookie が許可されている場合にのみ動作します。`,
  tagline: "Postern を利用しています",
  runsOn: (server) => `${server} は Postern を利用しています`,
  language: "言語",
  documents: "ドキュメント",
  faces: "アカウントとコンソール",
  account: "アカウント",
  console: "コンソール",
  signedIn: "サインイン中：",
  menu: "メニュー",
  signOut: "ログアウト",
  crumbs: "パンくずリスト",
  copy: "コピー",
  copied: "コピーしました",
  showPassword: "パスワードを表示",
  hidePassword: "パスワードを非表示",
  nameError: plural({
    other: (figure) => `1～${figure} 文字の名前を入力してください。`,
  }),
};
