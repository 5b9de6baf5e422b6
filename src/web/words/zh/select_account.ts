import { html } from "../../html/html.ts";
import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "选择账号",
  lead: "您想使用哪个账号继续？",
  another: "使用其他账号",
  meanwhile: {
    lead: (present) => html`您已在另一个窗口以 ${present} 的身份登录。`,
    goOn: (present) => html`以 ${present} 继续`,
    signInAs: (other) => html`以 ${other} 登录`,
  },
  organization: {
    title: "选择组织",
    lead: (app) => html`您想在 ${app} 中使用哪个组织继续？`,
    last: "上次使用",
    find: "搜索组织",
    search: "搜索",
    none: "没有匹配的组织。",
    more: "仅显示前 20 个。请搜索以查找其他组织。",
    cancel: "取消",
  },
  membersOnly: {
    title: "您无法使用此应用",
    of: (app, organization) => html`${app} 仅供 ${organization} 的成员使用。`,
    ofAny: (app) => html`${app} 仅供此服务器上某个组织的成员使用。`,
    hint: "如果您收到了邀请，请打开邀请邮件中的链接。否则，请联系该组织的管理员添加您。",
    byRole: {
      of: (app, organization) => html`${app} 仅供 ${organization} 中拥有特定角色或群组的成员使用。`,
      ofAny: (app) => html`${app} 仅供组织中拥有特定角色或群组的成员使用。`,
      hint: "请向该组织的管理员申请访问权限。",
    },
    back: "返回应用",
  },
};
