import { html } from "../../html/html.ts";
import type { SignInMethodsWords } from "../en/sign_in_methods.ts";

export const signInMethodsWords: SignInMethodsWords = {
  title: "登录方式",
  level: "最高级别",
  noWayIn: "无法登录",
  password: "密码",
  isSet: "已设置",
  isImported: "已设置：从其他系统导入，尚未在此使用",
  notSet: "未设置",
  linked: "关联账号",
  recoveryCodes: "剩余恢复代码",
  noCodes: "无",
  recovery: (due, end) =>
    html`凭此用户的密码和邮箱报告了所有第二因素丢失。在 ${due} 至 ${end} 之间，可以设置新的第二因素。使用第二因素登录会取消此操作。`,
  removal: (due) =>
    html`凭此用户的另外两个因素和邮箱报告了通行密钥丢失。通行密钥将在 ${due} 之后被移除。用其中任一通行密钥登录即可取消。`,
  none: "没有通行密钥，也没有身份验证器应用。",
  factors: "通行密钥和身份验证器应用",
  app: "身份验证器应用",
  name: "名称",
  madeFor: "适用于",
  model: "型号",
  added: "添加时间",
  lastUsed: "上次使用",
  never: "从未",
  action: "操作",
  remove: "移除",
  removeOf: (name) => html`移除：${name}`,
  levels: { password: "仅密码", federated: "仅外部提供方", mfa: "双因素", phr: "通行密钥" },
};
