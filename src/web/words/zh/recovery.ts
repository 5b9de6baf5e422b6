import { html } from "../../html/html.ts";
import type { RecoveryWords } from "../en/recovery.ts";
import { plural } from "./plural.ts";

export const recoveryWords: RecoveryWords = {
  title: "我丢失了所有第二因素",
  back: "返回",
  administrator: "您是此服务器的管理员。请让另一位管理员重置您的第二因素，没有其他办法。",
  lead: plural({ other: (figure) => `如果所有第二因素都已丢失，您可以在等待 ${figure} 小时后重新设置。` }),
  steps: {
    mailbox: "我们会向您的邮箱发送验证码，以确认邮箱属于您。",
    mails: "等待开始、过半和结束时，我们都会发邮件通知您。每封邮件都可以取消等待。",
    factors: "使用任一第二因素登录也会取消等待。",
    after: "等待结束后，请回到此浏览器，用密码登录并设置新的第二因素。",
  },
  ask: "发送验证码",
  asked: (email) => html`我们已向 ${email} 发送验证码。`,
  label: "邮件中的验证码",
  help: (time) => `最新一封邮件中的数字，${time}内有效。`,
  wrong: "这不是最新一封邮件中的验证码。",
  expired: "此验证码已过期，或错误次数过多。请重新发送。",
  throttled: "请求次数过多，未发送验证码。请稍后再试。",
  begin: "开始等待",
  waiting: (when) => html`等待已开始。请在 ${when} 之后回到此浏览器。`,
  told: "等待结束时会发邮件通知您。如果期间找回了某个第二因素，直接用它登录即可。",
  elsewhere: (when) =>
    html`另一个浏览器中已开始等待，直到 ${when}。请在那里继续，或通过邮件中的链接取消后在此重新开始。`,
  ready: "等待已结束。原有的第二因素将被移除，所有会话都会退出登录。",
  finish: "设置新的第二因素",
  atSignIn: {
    waiting: (when) =>
      html`您正在等待设置新的第二因素。${when} 之后即可在此浏览器中设置。使用现有的第二因素登录会取消等待。`,
    elsewhere: (when) =>
      html`有人在另一个浏览器中声称丢失了您的所有第二因素。在 ${when} 之后，对方可以设置新的第二因素。使用现有的第二因素登录会取消此操作。`,
    ready: "等待已结束。您现在可以设置新的第二因素。",
    open: "立即设置",
    look: "查看等待详情",
  },
  banner: {
    says: (when) => html`有人声称丢失了您账号的第二因素。在 ${when} 之后，对方可以设置新的第二因素。`,
    cancel: "取消",
  },
  link: {
    title: "保留您的第二因素",
    lead: "有人正在等待更换您账号的第二因素。如果不是您本人，请取消。",
    submit: "取消",
    doneTitle: "已取消",
    done: "您的第二因素保持不变。有人知道您的密码并能读取您的邮件：请更改这两个密码。",
    deadTitle: "没有可取消的内容",
    dead: "此链接对应的操作已结束或已被取消。",
    secure: "保护您的账号",
  },
  code: {
    subject: (server) => `您在 ${server} 的验证码`,
    says: (server) =>
      `有人知道您在 ${server} 的账号的密码，并声称丢失了全部第二因素。使用此验证码可以请求设置新的第二因素：`,
    caution: "请勿将其告诉任何人，仅在您开始登录的页面输入。如果不是您本人，请更改密码。",
  },
  mails: {
    recovery_started: (when) => `在 ${when} 之后才可以设置新的第二因素。`,
    recovery_halfway: (when) => `在 ${when} 之后才可以设置新的第二因素。`,
    recovery_ready: (when) => `请打开您当时使用的浏览器并在那里登录。有效期至 ${when}。`,
  },
};
