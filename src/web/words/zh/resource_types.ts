import type { ResourceTypeWords } from "../en/resource_types.ts";

export const resourceTypeWords: ResourceTypeWords = {
  users: { one: "用户", many: "用户", lead: "可以登录的人。" },
  organizations: { one: "组织", many: "组织", lead: "拥有自己应用的人员群体。" },
  memberships: { one: "成员关系", many: "成员关系", lead: "谁以何种身份属于哪个组织。" },
  linked_accounts: { one: "关联账号", many: "关联账号", lead: "人员在其他提供方的账号。" },
  api_keys: { one: "API 密钥", many: "API 密钥", lead: "程序用来管理记录的密钥。" },
  apps: { one: "应用", many: "应用", lead: "为人员登录或请求令牌的应用。" },
  app_secrets: { one: "应用密钥", many: "应用密钥", lead: "应用用来证明身份的凭据。" },
  tokens: { one: "令牌", many: "令牌", lead: "签发给应用的令牌，最新的在前。" },
  auth_codes: { one: "授权码", many: "授权码", lead: "即将换取令牌的一次性代码。" },
  consents: { one: "授权同意", many: "授权同意", lead: "人员允许应用做的事。" },
  sessions: { one: "会话", many: "会话", lead: "人员在哪里处于登录状态。" },
  service_accounts: { one: "服务账号", many: "服务账号", lead: "拥有自己身份的程序。" },
  key_pairs: { one: "密钥对", many: "密钥对", lead: "服务账号用来证明身份的凭据。" },
  signing_keys: { one: "签名密钥", many: "签名密钥", lead: "本服务器用来签发令牌的密钥。" },
  audit_events: { one: "审计事件", many: "审计记录", lead: "谁在何时做了什么，最新的在前。" },
  refusals: { one: "拒绝记录", many: "拒绝记录", lead: "拒绝了应用和人员的哪些请求，以及原因。" },
};
