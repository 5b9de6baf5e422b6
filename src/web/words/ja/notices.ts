import type { NoticeWords } from "../en/notices.ts";
import { plural } from "./plural.ts";

export const noticeWords: NoticeWords = {
  kinds: {
    password: {
      subject: (server) => `${server} のパスワードが変更されました`,
      says: (server, time) =>
        `${time} に、このアドレスの ${server} のアカウントのパスワードが変更されました。`,
    },
    email: {
      subject: (server) => `${server} のアカウントのメールアドレスが変更されました`,
      says: (server, time) =>
        `${time} に、このアドレスを使用していた ${server} のアカウントのアドレスが変更されました。今後の連絡は新しいアドレスに送られます。`,
    },
    email_here: {
      subject: (server) => `このアドレスが ${server} のアカウントのアドレスになりました`,
      says: (server, time) =>
        `${time} から、${server} のアカウントがこのアドレスを使用しています。このアドレスでログインし、アカウントに関するメールもここに届きます。`,
    },
    factor_added: {
      subject: (server) => `${server} に認証アプリが追加されました`,
      says: (server, time, name) =>
        `${time} に、認証アプリ「${name}」が ${server} のアカウントに追加されました。`,
    },
    factor_removed: {
      subject: (server) => `${server} から認証アプリが削除されました`,
      says: (server, time, name) =>
        `${time} に、認証アプリ「${name}」が ${server} のアカウントから削除されました。`,
    },
    recovery_codes: {
      subject: (server) => `${server} の新しいリカバリーコードが作成されました`,
      says: (server, time) =>
        `${time} に、${server} のアカウントの新しいリカバリーコードが作成されました。以前のコードは使用できません。`,
    },
    recovery_code_used: {
      subject: (server) => `${server} でリカバリーコードが使用されました`,
      says: (server, time) => `${time} に、${server} のアカウントのリカバリーコードが使用されました。`,
    },
    device_remembered: {
      subject: (server) => `${server} でブラウザーが記憶されました`,
      says: (server, time) =>
        `${time} に ${server} のアカウントにログインしたブラウザーが記憶されました。数日間、このブラウザーでは 2 段階認証を求められません。記憶されたブラウザーは、アカウントの「セッション」に表示されます。`,
    },
    passkey_added: {
      subject: (server) => `${server} にパスキーが追加されました`,
      says: (server, time, name) =>
        `${time} に、パスキー「${name}」が ${server} のアカウントに追加されました。`,
    },
    passkey_removed: {
      subject: (server) => `${server} からパスキーが削除されました`,
      says: (server, time, name) =>
        `${time} に、パスキー「${name}」が ${server} のアカウントから削除されました。`,
    },
    passkey_copied: {
      subject: (server) => `${server} のパスキーが複製された可能性があります`,
      says: (server, time, name) =>
        `${time} に、${server} のアカウントのパスキー「${name}」が、複製が存在するような応答をしたため拒否されました。このパスキーを削除し、新しいパスキーを追加してください。`,
    },
    link_added: {
      subject: (server) => `${server} で別のアカウントが連携されました`,
      says: (server, time, name) =>
        `${time} に、「${name}」のアカウントが ${server} のアカウントに連携されました。`,
    },
    link_removed: {
      subject: (server) => `${server} でアカウントの連携が解除されました`,
      says: (server, time, name) =>
        `${time} に、${server} のアカウントと「${name}」のアカウントの連携が解除されました。`,
    },
    api_key: {
      subject: (server) => `${server} で API キーが作成されました`,
      says: (server, time, name) =>
        `${time} に、${server} のアカウントの API キー「${name}」が作成されました。このキーを持つプログラムは、あなたに代わって操作できます。`,
    },
    api_key_changed: {
      subject: (server) => `${server} で API キーが変更されました`,
      says: (server, time, name) =>
        `${time} に、${server} のアカウントの API キー「${name}」の権限または有効期間が変更されました。`,
    },
    new_device: {
      subject: (server) => `${server} への新しいデバイスからのログイン`,
      says: (server, time) =>
        `${time} に、${server} のアカウントが、これまで使用されたことのないブラウザーからのログインに使用されました。`,
    },
    wrong_factor: {
      subject: (server) => `${server} のパスワードを知られている可能性があります`,
      says: (server, time) =>
        `${time} に、${server} のアカウントで、正しいパスワードに続けて誤ったコードが入力されました。`,
    },
    recovery_started: {
      subject: (server) => `${server} の 2 段階認証の再設定が要求されました`,
      says: (server, time) =>
        `${time} に、あなたのパスワードとこのメールボックスに届いたコードを持つ人が、${server} のアカウントの 2 段階認証の手段をすべて失ったと申告しました。`,
    },
    recovery_halfway: {
      subject: (server) => `お知らせ: ${server} の 2 段階認証が再設定されます`,
      says: (server) =>
        `${server} のアカウントの 2 段階認証の再設定が待機中です。待機時間の半分が経過しました。`,
    },
    recovery_ready: {
      subject: (server) => `${server} の 2 段階認証を再設定できるようになりました`,
      says: (server) => `${server} のアカウントの 2 段階認証を再設定するための待機時間が終了しました。`,
    },
    recovery_cancelled: {
      subject: (server) => `${server} の 2 段階認証の再設定がキャンセルされました`,
      says: (server, time) =>
        `${time} に、${server} のアカウントの 2 段階認証の再設定がキャンセルされました。`,
    },
    recovery_finished: {
      subject: (server) => `${server} の 2 段階認証の手段が削除されました`,
      says: (server, time) =>
        `${time} に、お知らせした待機時間の後、${server} のアカウントのパスキー、認証アプリ、リカバリーコードが削除されました。すべての場所からログアウトされています。`,
    },
    removal_started: {
      subject: (server) => `${server} のパスキーの削除が要求されました`,
      says: (server, time) =>
        `${time} に、別の 2 つの手段でログインし、このメールボックスに届いたコードを持つ人が、${server} のアカウントのパスキーを失ったと申告しました。`,
    },
    removal_halfway: {
      subject: (server) => `お知らせ: ${server} のパスキーが削除されます`,
      says: (server) =>
        `${server} のアカウントのパスキーは、失ったという申告があったため、削除される予定です。待機時間の半分が経過しました。`,
    },
    removal_ready: {
      subject: (server) => `${server} のパスキーはまもなく削除されます`,
      says: (server) =>
        `${server} のアカウントのパスキーは、失ったという申告があったため、削除される予定です。待機時間はまもなく終了します。`,
    },
    removal_cancelled: {
      subject: (server) => `${server} のパスキーの削除がキャンセルされました`,
      says: (server, time) => `${time} に、${server} のアカウントのパスキーの削除がキャンセルされました。`,
    },
    removal_finished: {
      subject: (server) => `${server} で失われたパスキーが削除されました`,
      says: (server, time, name) =>
        `${time} に、お知らせした待機時間の後、${server} のアカウントのパスキー「${name}」が削除されました。今後は、ほかの手段でアカウントの変更を確認できます。`,
    },
    factors_reset: {
      subject: (server) => `${server} の 2 段階認証の手段が削除されました`,
      says: (server, time) =>
        `${time} に、管理者が ${server} のアカウントのパスキー、認証アプリ、リカバリーコードを削除しました。次回のログイン時にメールでコードが届き、その後、新しい手段を設定できます。`,
    },
    secured: {
      subject: (server) => `${server} のアカウントを保護しました`,
      says: (server, time) =>
        `${time} に、${server} のアカウントでの操作に心当たりがないと報告されました。それ以降に作成されたものは使用できなくなりました。`,
    },
    deletion: {
      subject: (server) => `${server} のアカウントは削除される予定です`,
      says: (server, time) =>
        `${time} に、${server} のアカウントの削除が要求されたため、すべての場所からログアウトされました。`,
    },
    deleted: {
      subject: (server) => `${server} のアカウントが削除されました`,
      says: (server, time) => `${time} に、このアドレスの ${server} のアカウントが削除されました。`,
    },
  },
  codesLeft: plural({ other: (figure) => `残りのリカバリーコードは ${figure} 個です。` }),
  withCodes: "同時にリカバリーコードも作成されました。",
  device: (device, address) => `デバイス: ${device}、アドレス: ${address}`,
  onSystem: (browser, system) => `${system} の ${browser}`,
  unknownDevice: "不明",
  unknownAddress: "不明",
  own: "ご自身による操作の場合は、何もする必要はありません。",
  notMe: "心当たりがない場合は、すぐにアカウントを保護してください。",
  notMeLink: "自分ではありません",
  tellAdministrator: "心当たりがない場合は、サーバーの管理者に連絡してください。",
  endpoint: {
    subject: (owner) => `${owner} の Webhook エンドポイントが無効になりました`,
    gone: (owner, time) =>
      `${owner} の Webhook エンドポイントは ${time} に無効になりました。受信側が、もう存在しないと応答しました（410）。`,
    failing: (owner, time) =>
      `${owner} の Webhook エンドポイントは ${time} に無効になりました。3 日間、イベントを受け付けませんでした。`,
    kept: (position) =>
      `位置 ${position} までのイベントはすべて届いています。それ以降のイベントは保存されています。有効にするときに、そこから再開するか、新しいイベントから始めるかを選べます。`,
    link: "エンドポイントを開く",
  },
  secure: {
    title: "アカウントの保護",
    lead: "ほかの人があなたのアカウントを使用した可能性があります。次の手順を順番に行ってください。",
    password: "新しいパスワードを設定する",
    passwordHint: "すべての場所からログアウトされ、すべてのアプリのアクセスが終了します。",
    sessions: "ログイン中の場所を確認する",
    sessionsHint: "心当たりのないセッションをすべて終了してください。",
    factors: "ログイン方法を確認する",
    factorsHint: "ご自身のものではないパスキーと認証アプリを削除してください。",
    links: "連携しているアカウントを確認する",
    linksHint: "ご自身のものではないアカウントを削除してください。",
    keys: "API キーを確認する",
    keysHint: "ご自身が作成していないキーを失効させてください。",
    ask: "ログインできない場合や、アカウントのアドレスがご自身のものでなくなっている場合は、サーバーの管理者に連絡してください。",
  },
};
