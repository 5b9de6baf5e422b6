import { html } from "../../html/html.ts";
import type { LostPasskeyWords } from "../en/lost_passkey.ts";
import { plural } from "./plural.ts";

export const lostPasskeyWords: LostPasskeyWords = {
  title: "我不再拥有我的通行密钥",
  administrator: "您是此服务器的管理员。请让另一位管理员移除您的通行密钥，没有其他办法。",
  tooLittleLeft: (lost) =>
    `此操作需要密码或关联账号，以及另一个第二因素，而您没有同时具备。请退出登录，然后用密码或关联账号登录，并在被要求提供第二因素时选择“${lost}”。如果两者都没有，请联系服务器管理员。`,
  lead: plural({ other: (figure) => `等待 ${figure} 小时后，通行密钥会被移除。` }),
  going: "将被移除：",
  steps: {
    proofs: "您用仍然拥有的两个因素以及我们发送到邮箱的验证码进行确认。",
    mails: "等待开始、过半和结束前，我们都会发邮件通知您。每封邮件都可以取消。",
    use: "使用该通行密钥也会取消。",
    after: "等待结束后，您可以用其他因素确认对账号的更改，并添加新的通行密钥。",
  },
  waiting: (when) => html`等待已开始。通行密钥将在 ${when} 之后被移除。如果期间找回了它，直接使用即可。`,
  banner: (when) => html`有人声称不再拥有您账号的通行密钥。它将在 ${when} 之后被移除。`,
  link: {
    title: "保留您的通行密钥",
    lead: "有人声称不再拥有您账号的通行密钥，它将被移除。如果不是您本人，请取消。",
    done: "您的通行密钥保持不变。有人知道您的密码、拥有您的另一个因素并能读取您的邮件：请更改这两个密码，并移除不属于您的因素。",
  },
  codeSays: (server) =>
    `有人已登录您在 ${server} 的账号，并声称不再拥有其通行密钥。使用此验证码可以请求移除它：`,
  mailUntil: (when) => `如果没有取消或使用，通行密钥将在 ${when} 之后被移除。`,
};
