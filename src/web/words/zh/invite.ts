import { html } from "../../html/html.ts";
import type { InviteWords } from "../en/invite.ts";
import { plural } from "./plural.ts";

export const inviteWords: InviteWords = {
  title: "邀请",
  one: "邀请",
  lead: plural({ other: (figure) => `每位受邀者都会得到自己的链接。链接只能使用一次，${figure} 天内有效。` }),
  email: "电子邮箱",
  emailHelp: "只有使用此地址的人才能接受邀请。",
  role: "角色",
  submit: "邀请",
  errors: {
    email: "请输入电子邮箱地址，例如 name@example.com。",
    member: "使用此地址的人已经是成员。",
    role: "请选择角色。",
    role_above: "您无权授予此角色。",
    invited_above: "此地址已被邀请担任您无权授予的角色。",
    look_alike: "已有发给相似地址的未处理邀请，请先撤回。",
    too_many_open: "未处理的邀请过多，请先撤回一些。",
    throttled: "邀请过多，或发往此地址的邮件过多，请稍后再试。",
    inactive: "该组织已停用，无人可以加入。",
  },
  made: (email) => html`已邀请 ${email}`,
  mailed: "包含链接的邮件正在发送。",
  notMailed: "此服务器不发送邮件，请亲自转交此链接。",
  shownOnce: "链接仅显示这一次。请只交给您邀请的人。",
  open: "未处理的邀请",
  none: "没有未处理的邀请",
  by: "邀请人",
  until: "有效期至",
  action: "操作",
  withdraw: "撤回",
  withdrawOf: (email) => `撤回对 ${email} 的邀请`,
  withdrawn: "邀请已撤回，其链接不再有效。",
};
