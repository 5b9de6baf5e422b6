import { html } from "../../html/html.ts";
import type { PasswordWords } from "../en/password.ts";
import { plural } from "./plural.ts";

export const passwordWords: PasswordWords = {
  forgotLink: "忘记密码？",
  forgotTitle: "忘记密码？",
  forgotLead: "请输入您的电子邮箱地址，我们会发送一个链接，供您设置新密码。",
  email: "电子邮箱",
  sendLink: "发送链接",
  backToSignIn: "返回登录",
  outOfDate: "此表单已过期，请重试。",
  emailError: "请输入电子邮箱地址，例如 name@example.com。",
  tooMany: "短时间内请求次数过多。",
  askedTitle: "请查收邮件",
  askedLead: plural({
    other: (figure) =>
      `如果有账号使用此地址，我们会向它发送一封邮件。邮件中的链接只能使用一次，${figure} 分钟内有效。`,
  }),
  askedFor: (email) => html`您输入的地址是 ${email}。`,
  otherAddress: "使用其他地址",
  askedHint: "几分钟后仍未收到？请查看垃圾邮件文件夹，并确认该地址就是您账号的电子邮箱。",
  offTitle: "此服务器不发送邮件",
  offLead: "此服务器不发送邮件，因此无法向您发送链接。服务器管理员可以为您设置新密码。",
  resetTitle: "设置新密码",
  resetLead: "您将在所有设备上退出登录，然后使用新密码登录。",
  newPassword: "新密码",
  newPasswordAgain: "再次输入新密码",
  passwordHint: plural({
    other: (figure) => `至少 ${figure} 个字符。几个互不相关的词比一个生僻的词更安全。`,
  }),
  setPassword: "保存密码",
  tooShort: "密码太短。",
  tooLong: "此密码过长。",
  tooCommon: "此密码过于常见。",
  differs: "两次输入的密码不一致。",
  deadTitle: "此链接已过期或已被使用",
  deadLead: "它可能已被更新的链接取代。请获取新链接。",
  askAgain: "获取新链接",
  doneTitle: "密码已设置",
  doneLead: "您已在所有设备上退出登录。请使用新密码登录。",
  signIn: "登录",
  mailGreeting: "您好：",
  mailSubject: (server) => `在 ${server} 设置新密码`,
  mailAsked: (server) => `有人为 ${server} 上使用此地址的账号申请了新密码。您可以通过此链接设置新密码：`,
  mailButton: "设置新密码",
  mailOnce: plural({
    other: (figure) => `此链接只能使用一次，${figure} 分钟内有效。如果您再次申请，只有最新的链接有效。`,
  }),
  mailIgnore: "如果这不是您本人的操作，请忽略此邮件：您的密码不会改变。",
  mailNoWaySubject: (server) => `您在 ${server} 的账号`,
  mailInactive: (server) =>
    `有人为 ${server} 上使用此地址的账号申请了新密码。该账号已停用，因此无法设置密码。服务器管理员可以重新启用它。`,
  mailNoPassword: (server) =>
    `有人为 ${server} 上使用此地址的账号申请了新密码。该账号没有密码，您可以通过以下方式登录：`,
  mailByPasskey: "– 使用您的通行密钥",
  mailByProvider: (provider) => `– 使用您在 ${provider} 的账号`,
  mailSetLater: "登录后，您可以在“账号”页面设置密码。",
  signInOtherwise: {
    lead: "您的账号没有密码。请照常登录，并移除所有不属于您的内容：",
    passkey: "使用您的通行密钥",
    provider: (provider) => `使用您在 ${provider} 的账号`,
  },
  mailNothingToDo: "如果这不是您本人的操作，则无需理会。",
};
