import type { RecordNoun } from "../../../errors/messages.ts";

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
  "service account": "服务账号",
  "key pair": "密钥对",
  "signing key": "签名密钥",
  "audit event": "审计事件",
  refusal: "拒绝记录",
  invitation: "邀请",
  record: "记录",
};
