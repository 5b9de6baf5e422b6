import { html, type Printable } from "../../html/html.ts";
import type { OrganizationProfileWords } from "../en/organization_profile.ts";

export const organizationProfileWords: OrganizationProfileWords = {
  nav: "您的组织",
  lead: "您组织的成员、角色、登录和活动。",
  members: "成员",
  member: "成员",
  secondFactor: "第二因素",
  factors: { passkey: "通行密钥", security_key: "安全密钥", totp: "身份验证器应用" },
  noFactor: "无",
  all: {
    members: "所有成员",
    invitations: "所有邀请",
    roles: "所有角色",
    providers: "所有提供方",
    events: "所有活动",
  },
  none: {
    roles: "还没有自定义角色。成员使用内置角色。",
    providers: "还没有自己的登录提供方。",
    events: "还没有任何活动。",
  },
  add: { roles: "添加角色", providers: "添加提供方" },
  throughGroups: (names: Printable) => html`来自群组：${names}`,
  holders: "拥有该角色的成员",
  assign: "分配角色",
  assignTo: (email) => `为 ${email} 分配角色`,
  editOf: (name) => `编辑 ${name}`,
  deleteOf: (name) => `删除 ${name}`,
  settings: "品牌与登录规则",
  settingsLead: "还包括登录页面的颜色和徽标、谁可以注册以及会话持续多久。",
  edit: "编辑",
  open: "打开",
  event: "事件",
  when: "时间",
};
