import type { FieldValues } from "../en/field_values.ts";
import { memberValues } from "./member_fields.ts";
import { providerValues } from "./provider_fields.ts";

export const fieldValues: FieldValues = {
  ...providerValues,
  ...memberValues,
  app_type: {
    web: "带服务器的网页应用",
    spa: "单页应用",
    native: "原生或命令行应用",
    service: "API 服务",
    machine: "机器对机器",
  },
  kind: {
    website: "带服务器的网站",
    browser: "单页应用",
    native: "手机或桌面应用",
    command_line: "命令行工具",
    api: "API 或服务",
    machine: "机器对机器",
  },
  plan: { free: "免费版", starter: "入门版", pro: "专业版", enterprise: "企业版" },
  role: { owner: "所有者", admin: "管理员", developer: "开发者", member: "成员" },
  allowed_grants: {
    auth_code: "授权码：用于浏览器中的人员",
    refresh: "刷新令牌：用于保持登录",
    client_credentials: "客户端凭据：用于应用自身",
    jwt_bearer: "签名断言：用于服务账号",
  },
  group: { changes: "变更" },
  outcome: { success: "成功", failure: "失败" },
  actor_kind: {
    user: "人员",
    client: "应用",
    service_account: "服务账号",
    api_key: "API 密钥",
    system: "服务器自身",
    anonymous: "未知",
  },
  client_assertion_audience: { issuer: "仅 issuer", issuer_or_token_endpoint: "issuer 或令牌端点" },
  profile: { fapi2: "FAPI 2.0 安全规范", oauth21: "OAuth 2.1 草案" },
  provenance: {
    registered: "在此注册",
    metadata_document: "来自客户端的文档",
    dynamic_registration: "客户端自行注册",
  },
  key_type: { rsa: "RSA 密钥", ec: "椭圆曲线密钥" },
  revoked_reason: {
    rotated: "已轮换",
    replay: "被重复使用",
    revoked: "被吊销",
    logout: "已退出登录",
    consent_withdrawn: "已撤回同意",
    password_changed: "密码已更改",
    user_disabled: "用户已停用",
    organization_disabled: "组织已停用",
    app_disabled: "应用已停用",
    service_account_disabled: "服务账号已停用",
    key_revoked: "密钥已吊销",
    membership_ended: "成员资格已结束",
  },
  who_may_sign_in: {
    any: "所有用户",
    members: "其组织的成员",
    roles: "拥有其中一个角色的成员",
    groups: "其中一个群组的成员",
  },
  who_may_ask: {
    listed: "仅限列出它的应用",
    registered: "其所有者的已注册应用",
    any: "任何客户端",
  },
};
