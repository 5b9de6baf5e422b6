import type { ImpactWords } from "../en/impact.ts";
import { plural } from "./plural.ts";

const counted = (what: string, end: string) => plural({ other: (figure) => `${what} ${figure} 件が${end}` });

export const impactWords: ImpactWords = {
  atLeast: (figure) => `${figure} 以上`,
  kinds: {
    tokens: counted("トークン", "すぐに無効になります"),
    people: plural({ other: (figure) => `${figure} 人がアクセスできなくなります` }),
    sessions: counted("ブラウザーのセッション", "終了します"),
    consents: counted("許可", "取り消されます"),
    secrets: counted("シークレット", "使用できなくなります"),
    apps: counted("アプリ", "使用できなくなります"),
    members: plural({ other: (figure) => `${figure} 人がメンバーではなくなります` }),
    key_pairs: counted("鍵ペア", "使用できなくなります"),
    api_keys: counted("API キー", "使用できなくなります"),
    service_accounts: counted("サービスアカウント", "使用できなくなります"),
    linked_accounts: counted("連携アカウント", "削除されます"),
    passkeys: counted("パスキー", "削除されます"),
    authenticator_apps: counted("認証アプリ", "削除されます"),
    recovery_codes: counted("リカバリーコード", "使用できなくなります"),
    apis: counted("API", "無効になります"),
    providers: counted("プロバイダー", "無効になります"),
    invitations: counted("招待", "取り消されます"),
    holders: plural({ other: (figure) => `${figure} 人のメンバーがロールを失います` }),
    groups: plural({ other: (figure) => `${figure} 件のグループがロールを付与しなくなります` }),
    group_members: plural({ other: (figure) => `${figure} 人のメンバーがグループから外れます` }),
    left_groups: plural({ other: (figure) => `${figure} 件のグループからこのメンバーが外れます` }),
  },
};
