import type { ImpactWords } from "../en/impact.ts";
import { plural } from "./plural.ts";

export const impactWords: ImpactWords = {
  atLeast: (figure) => `至少 ${figure}`,
  kinds: {
    tokens: plural({ other: (figure) => `${figure} 个令牌立即失效` }),
    people: plural({ other: (figure) => `${figure} 人失去访问权限` }),
    sessions: plural({ other: (figure) => `${figure} 个浏览器会话结束` }),
    consents: plural({ other: (figure) => `${figure} 项授权同意被撤回` }),
    secrets: plural({ other: (figure) => `${figure} 个应用密钥不再可用` }),
    apps: plural({ other: (figure) => `${figure} 个应用不再可用` }),
    members: plural({ other: (figure) => `${figure} 人不再是成员` }),
    key_pairs: plural({ other: (figure) => `${figure} 个密钥对不再可用` }),
    api_keys: plural({ other: (figure) => `${figure} 个 API 密钥不再可用` }),
    service_accounts: plural({ other: (figure) => `${figure} 个服务账号不再可用` }),
    linked_accounts: plural({ other: (figure) => `${figure} 个关联账号被移除` }),
    passkeys: plural({ other: (figure) => `${figure} 个通行密钥被移除` }),
    authenticator_apps: plural({ other: (figure) => `${figure} 个身份验证器应用被移除` }),
    recovery_codes: plural({ other: (figure) => `${figure} 个恢复代码不再可用` }),
    apis: plural({ other: (figure) => `${figure} 个 API 被停用` }),
    providers: plural({ other: (figure) => `${figure} 个身份提供方被停用` }),
    invitations: plural({ other: (figure) => `${figure} 个邀请被撤回` }),
    holders: plural({ other: (figure) => `${figure} 名成员失去该角色` }),
    groups: plural({ other: (figure) => `${figure} 个群组不再授予该角色` }),
    group_members: plural({ other: (figure) => `${figure} 名成员离开该群组` }),
    left_groups: plural({ other: (figure) => `该成员离开 ${figure} 个群组` }),
  },
};
