import type { SignUpWords } from "../en/sign_up.ts";
import { plural } from "./plural.ts";

export const signUpWords: SignUpWords = {
  link: "创建账号",
  title: "创建账号",
  lead: "请输入您的电子邮箱地址，我们会发送一封邮件，供您继续操作。",
  domains: (domains) => `以下域名的邮箱地址可以注册：${domains}。`,
  invited: "受到邀请的人可以注册。",
  submit: "发送邮件",
  askedTitle: "请查收邮件",
  askedLead: plural({
    other: (figure) =>
      `如果此地址可以注册，我们会向它发送一封邮件。请在 ${figure} 分钟内打开其中的链接，或在此输入其中的验证码。`,
  }),
  askedHint: "几分钟后仍未收到？请查看垃圾邮件文件夹，并确认地址无误。",
  code: "邮件中的验证码",
  useCode: "继续",
  wrongCode: "这不是邮件中的验证码。",
  endedCode: "此验证码已失效。请打开邮件中的链接，或重新获取邮件。",
  askAgain: "重新获取邮件",
  finishTitle: "创建您的账号",
  finishLead: "设置姓名和密码后，您的账号即可使用。",
  make: "创建账号",
  existsTitle: "您已有账号",
  existsLead: "已有使用此地址的账号。请登录该账号。",
  deadTitle: "此链接已过期或已被使用",
  deadLead: "请重新获取邮件以创建账号。",
  readyTitle: "您的账号已就绪",
  readyLead: "您已在此登录。如果您是在其他浏览器或应用中开始的，请返回那里登录。",
  toAccount: "前往您的账号",
  mailSubject: (server) => `在 ${server} 创建账号`,
  mailAsked: (server) => `有人想用此地址在 ${server} 创建账号。请通过此链接继续：`,
  mailButton: "创建账号",
  mailCode: (code) => `您也可以在最初使用的浏览器中输入此验证码：${code}`,
  mailOnce: plural({ other: (figure) => `链接和验证码在 ${figure} 分钟内有效。` }),
  mailIgnore: "如果这不是您本人的操作，请忽略此邮件，也不要把验证码告诉任何人：不会创建账号。",
  mailExists: (server) => `有人想用此地址在 ${server} 创建账号。您已有账号，请在此登录：`,
  mailForgot: "如果您忘记了密码，可以在此设置新密码：",
  mailInactive: (server) =>
    `有人想用此地址在 ${server} 创建账号。您已有账号，但它已停用。服务器管理员可以重新启用它。`,
};
