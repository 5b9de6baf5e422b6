import { html } from "../../html/html.ts";
import type { SecondFactorWords } from "../en/second_factor.ts";
import { plural } from "./plural.ts";

export const secondFactorWords: SecondFactorWords = {
  title: "第二步验证",
  lead: (email) => html`${email}，请再验证一次您的身份。`,
  submit: "继续",
  cancel: "取消",
  others: "其他方式",
  lost: "我丢失了所有第二因素",
  ways: {
    passkey: "使用通行密钥",
    totp: "使用身份验证器应用",
    recovery_code: "使用恢复代码",
    mail_code: "使用邮件验证码",
  },
  totp: {
    label: "身份验证器应用的验证码",
    help: "应用当前显示的 6 位数字。",
    wrong: "验证码不正确或已被使用。请输入应用当前显示的验证码。",
    late: "这是几分钟前的验证码：您设备的时钟不准。请让设备自动设置时间，然后输入新的验证码。",
  },
  recoveryCode: {
    label: "恢复代码",
    help: "您保存的 16 位代码之一。每个代码只能使用一次。",
    wrong: "这不是您的恢复代码，或者已被使用。",
  },
  remember: {
    label: plural({ other: (figure) => `${figure} 天内不在此设备上再次询问` }),
    help: "仅限您自己的设备。登录时仍需输入密码。",
  },
  passkey: { none: "您的通行密钥在此处均不可用。请选择其他方式。" },
  ended: {
    title: "错误代码次数过多",
    lead: "为了您的安全，本次登录已终止。请重新输入密码登录。",
    again: "重新登录",
  },
  used: {
    title: "您已登录",
    advice: "如果您丢失了身份验证器应用，请将其移除并添加新的应用。新的恢复代码会取代现有代码。",
    security: "账号安全",
    goOn: "继续",
  },
};
