import type { RecordNoun } from "../../../errors/messages.ts";
import type { ResourceTypeWords } from "../en/resource_types.ts";

export const zhNouns: Readonly<Record<RecordNoun, string>> = {
  user: "用户",
  organization: "组织",
  membership: "成员关系",
  "linked account": "关联账号",
  "API key": "API 密钥",
  app: "应用",
  "app secret": "应用密钥",
  token: "令牌",
  "authorization code": "授权码",
  consent: "授权同意",
  session: "会话",
  API: "API 资源",
  "service account": "服务账号",
  "key pair": "密钥对",
  "signing key": "签名密钥",
  "audit event": "审计事件",
  refusal: "拒绝记录",
  notice: "登出通知",
  invitation: "邀请",
  passkey: "通行密钥",
  "authenticator app": "身份验证器应用",
  provider: "登录提供方",
  record: "记录",
};

const titled = (noun: RecordNoun, lead: string) => ({ one: zhNouns[noun], many: zhNouns[noun], lead });

export const resourceTypeWords: ResourceTypeWords = {
  users: titled("user", "可以登录的人。"),
  organizations: titled("organization", "拥有自己应用的人员群体。"),
  memberships: titled("membership", "谁以何种身份属于哪个组织。"),
  providers: titled("provider", "人员可用来在此登录的外部账号来源。"),
  linked_accounts: titled("linked account", "用户在其他提供方的账号。"),
  api_keys: titled("API key", "用于管理 API 的密钥。"),
  apps: titled("app", "供用户登录或请求令牌的应用。"),
  app_secrets: titled("app secret", "您的应用的客户端密钥。"),
  tokens: titled("token", "签发给应用的令牌，最新的在前。"),
  auth_codes: titled("authorization code", "即将换取令牌的一次性代码。"),
  consents: titled("consent", "用户授予应用的权限。"),
  sessions: titled("session", "人员在哪里处于登录状态。"),
  resources: titled("API", "API 及其范围，以及可为其请求令牌的客户端。"),
  service_accounts: titled("service account", "拥有自己身份的程序。"),
  key_pairs: titled("key pair", "服务账号用来证明身份的凭据。"),
  signing_keys: titled("signing key", "用于签署令牌的密钥。"),
  audit_events: { ...titled("audit event", "谁在何时做了什么，最新的在前。"), many: "审计记录" },
  deliveries: titled("notice", "告知应用会话已结束的通知。"),
  refusals: { ...titled("refusal", "被拒绝的请求及其原因。"), many: "失败的请求" },
};
