import { html } from "../../html/html.ts";
import type { FrameWords } from "../en/frame.ts";
import { plural } from "./plural.ts";

export const frameWords: FrameWords = {
  skip: "跳到正文",
  rightAddress: (address) =>
    html`您的浏览器没有发送此服务器的 Cookie。页面仅在 ${address} 且允许 Cookie 时可用。`,
  tagline: "由 Postern 提供支持",
  runsOn: (server) => `${server} 由 Postern 提供支持`,
  language: "语言",
  documents: "文档",
  faces: "账号与控制台",
  account: "账号",
  console: "控制台",
  signedIn: "当前登录：",
  menu: "菜单",
  signOut: "退出登录",
  crumbs: "面包屑导航",
  copy: "复制",
  copied: "已复制",
  showPassword: "显示密码",
  hidePassword: "隐藏密码",
  nameError: plural({
    other: (figure) => `请填写 1 到 ${figure} 个字符的名称。`,
  }),
};
