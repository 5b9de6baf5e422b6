import type { ScopeWords } from "../en/scopes.ts";

export const scopeWords: ScopeWords = {
  known: {
    openid: "确认登录的人是您",
    profile: "查看您的姓名和头像",
    email: "查看您的电子邮箱地址",
    offline_access: "在您离开时保留此访问权限",
    "postern:manage": "管理您在此服务器上有权管理的一切",
    "postern:register": "管理哪些客户端可以接入此服务器",
    "postern:read": "查看您在此服务器的管理中有权查看的一切",
  },
  managed: {
    users: "用户",
    organizations: "组织",
    memberships: "组织成员关系",
    linked_accounts: "在其他服务上关联的账号",
    api_keys: "API 密钥",
    apps: "应用",
    app_secrets: "应用的机密",
    resources: "令牌所针对的 API",
    tokens: "已签发的令牌",
    auth_codes: "授权码",
    consents: "用户对应用的授权",
    sessions: "用户的登录会话",
    service_accounts: "服务账号",
    key_pairs: "服务账号的密钥",
    signing_keys: "签名密钥",
    audit_events: "审计记录",
    refusals: "被拒绝的请求及其原因",
  },
  see: (what) => `在您的权限范围内查看${what}`,
  change: (what) => `在您的权限范围内更改${what}`,
};
