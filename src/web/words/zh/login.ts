import { html } from "../../html/html.ts";
import type { LoginWords } from "../en/login.ts";
import { plural } from "./plural.ts";

export const loginWords: LoginWords = {
  title: "登录",
  lead: "使用您的电子邮箱和密码",
  leadTo: (client) => html`以继续前往 ${client}`,
  email: "电子邮箱",
  password: "密码",
  submit: "登录",
  again: {
    title: "请确认是您本人",
    asked: (client) => html`${client}要求您重新登录。`,
    tooOld: (client) => html`您上次登录已有一段时间，${client}要求您重新登录。`,
    application: "该应用",
    signedInAs: (name) => html`您当前以 ${name} 的身份登录。`,
  },
  keepSignedIn: {
    label: plural({ other: (figure) => `${figure} 天内保持登录` }),
    help: "仅限您自己的设备。退出登录后即失效。",
  },
  failures: {
    refused: "电子邮箱或密码错误。",
    throttled: "尝试次数过多。",
    out_of_date: "此表单已过期，请重试。",
  },
  why: "这样可以防止他人猜测密码，其他一切照常。",
  againInSeconds: plural({ other: (figure) => `请在 ${figure} 秒后重试。` }),
  againInMinutes: plural({ other: (figure) => `请在 ${figure} 分钟后重试。` }),
};
