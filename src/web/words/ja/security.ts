import type { SecurityWords } from "../en/security.ts";

export const securityWords: SecurityWords = {
  lead: "ログイン方法と、アカウントの最近のアクティビティです。",
  password: {
    have: "メールアドレスとパスワードでログインできます。",
    set: "パスワードを設定",
    single:
      "ログイン方法が 1 つしかありません。失うとアカウントも失います。パスワードを設定するか、別の方法を追加してください。",
  },
  recent: {
    title: "最近のアクティビティ",
    none: "まだ記録はありません。",
    what: "内容",
    when: "日時",
    byOther: "管理者による操作",
    kinds: {
      sign_in: "ログイン",
      sign_in_failed: "ログインの失敗",
      password_reset: "メールのリンクによる新しいパスワードの設定",
      password_changed: "パスワードの変更",
      email_changed: "メールアドレスの変更",
      "passkey.created": "パスキーの追加",
      "passkey.updated": "パスキーの名前の変更",
      "passkey.deleted": "パスキーの削除",
      "passkey.refused": "パスキーの拒否",
      "authenticator_app.created": "認証アプリの追加",
      "authenticator_app.updated": "認証アプリの名前の変更",
      "authenticator_app.deleted": "認証アプリの削除",
      "recovery_codes.created": "新しいリカバリーコードの作成",
      "recovery_code.used": "リカバリーコードの使用",
      "linked_account.created": "プロバイダーのアカウントの連携",
      "linked_account.deleted": "プロバイダーのアカウントの連携解除",
      "user.factors_reset": "2 段階認証の手段とパスキーのリセット",
      "user.factor_removed": "2 段階認証の手段の削除",
      "device.created": "ブラウザーの記憶",
      "device.deleted": "ブラウザーの記憶の解除",
      "recovery.created": "2 段階認証の再設定の要求",
      "recovery.deleted": "2 段階認証の再設定のキャンセル",
      "recovery.finished": "再設定による 2 段階認証の手段の削除",
    },
  },
};
