import { html } from "../../html.ts";
import type { OwnAccountWords } from "../en/own_account.ts";
import { plural } from "./plural.ts";

export const ownAccountWords: OwnAccountWords = {
  email: {
    title: "电子邮箱",
    change: "更改邮箱",
    lead: "您使用此地址登录，账号的相关邮件也会发送到这里。",
    now: "当前邮箱",
    waits: (email) => html`${email} 正等待您确认。`,
    waitsHint: "请在已登录的浏览器中打开我们发送到该地址的邮件中的链接。在此之前不会有任何更改。",
    cancel: "保留当前邮箱",
    next: "新邮箱",
    submit: "发送链接",
    noMail: "此服务器不发送邮件，因此无法验证其他邮箱。",
    locked: (time) => html`原邮箱已收回此账号的地址。${time} 之后才能再次更改。`,
    errors: {
      email: "请输入电子邮箱地址，例如 name@example.com。",
      same: "这就是您当前的邮箱。",
      throttled: "短时间内请求次数过多，请稍后再试。",
    },
    confirmTitle: "确认您的新邮箱",
    confirmLead: (email) => html`确认后，您将使用 ${email} 登录，账号的相关邮件也会发送到那里。`,
    confirm: "使用此邮箱",
    deadTitle: "此链接已失效",
    deadLead: "它已被使用、已过期、属于其他账号，或者该邮箱无法使用。",
    undoTitle: "恢复您的邮箱",
    undoLead: (email) => html`您的账号将恢复使用 ${email}。所有人都会退出登录，邮箱在 72 小时内无法更改。`,
    undo: "恢复邮箱",
    undoneTitle: "您的邮箱已恢复",
    undoneLead: "您的账号已在所有设备上退出登录。请立即设置新密码。",
    choosePassword: "设置新密码",
    outOfDate: "此表单已过期，请重试。",
    mailSubject: (server) => `确认您在 ${server} 的新邮箱`,
    mailAsked: (server) =>
      `有人已登录 ${server}，并希望将此地址用作其账号的邮箱。如果是您本人，请在已登录的浏览器中打开此链接：`,
    mailButton: "确认邮箱",
    mailFor: plural({ other: (figure) => `链接在 ${figure} 分钟内有效。` }),
    mailIgnore: "如果不是您本人的操作，请忽略此邮件。",
    mailUndo: plural({
      other: (figure) => `${figure} 天内，您可以通过下方链接恢复此邮箱，并让所有人退出登录。`,
    }),
  },
};
