import { html } from "../../html/html.ts";
import type { SudoWords } from "../en/sudo.ts";
import { plural } from "./plural.ts";

export const sudoWords: SudoWords = {
  title: "请确认是您本人",
  lead: "您即将更改保护您或他人账号的设置。目前尚未作任何更改。",
  password: "密码",
  wrongPassword: "此密码不正确。",
  mailboxLead: (email) => html`我们可以向 ${email} 发送验证码。`,
  providerLead: "请在那里再登录一次，之后会回到这里。",
  confirmWith: (provider) => `使用 ${provider} 确认`,
  confirmedLead: "已确认是您本人。请完成刚才的操作。",
  finish: "完成",
  sendAgain: (time) => `您填写的内容过长，无法保留。请返回并再次提交：${time}内不会再要求确认。`,
  sendMailCode: "发送验证码",
  mailCodeLabel: "邮件中的验证码",
  mailCodeHelp: (time) => `仅可使用一次，${time}内有效。`,
  wrongMailCode: "此验证码不正确，或已过期。",
  mailSubject: (server) => `您在 ${server} 的验证码`,
  mailAsked: (server) => `您即将在 ${server} 更改保护您账号的设置。请使用此验证码确认：`,
  mailMinutes: plural({ other: (figure) => `仅可使用一次，${figure} 分钟内有效。` }),
  mailOther: "如果不是您本人操作，说明有他人登录了您的账号：请结束您的会话，并告知服务器管理员。",
  throttled: "短时间内尝试次数过多。",
  changedMeanwhile: "您同时在另一个窗口中进行了确认。请在此处再确认一次。",
  noWay: "您的账号没有可在此用于确认的方式。服务器管理员可以帮助您。",
  lostPasskey: "我不再拥有此通行密钥",
  cancel: "取消",
  submit: "确认并继续",
};
