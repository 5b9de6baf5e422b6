import { html } from "../../html/html.ts";
import type { LogoutWords } from "../en/logout.ts";

export const logoutWords: LogoutWords = {
  title: "退出登录？",
  asks: (client) => html`${client} 请求让您在此退出登录。`,
  signsOut: "您将在此浏览器中退出登录。",
  offline: "您允许在您离开时保留访问权限的应用将继续保留该权限。",
  keeping: "以下应用将继续访问您的账号：",
  stay: "保持登录",
  submit: "退出登录",
  submitEverything: "在所有设备上退出并结束所有访问",
  doneTitle: "已退出登录",
  done: "您已退出登录",
  safe: "现在可以放心关闭此窗口。",
  noneTitle: "未登录",
  none: "您未在此处登录",
  noneEnded: "没有会话被结束。如果您在其他设备或浏览器中已登录，请在那里退出登录。",
  unregistered: "您不会返回应用：应用请求的返回地址未为其注册。",
  unproven: "您不会返回应用：无法确认是哪个应用发出的请求。",
  returnTo: (client) => html`返回 ${client}`,
  returnToApplication: "返回应用",
  leadsTo: (place) => html`该链接通向 ${place}。`,
  again: "重新登录",
};
