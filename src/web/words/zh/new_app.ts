import type { NewAppWords } from "../en/new_app.ts";

export const newAppWords: NewAppWords = {
  help: {
    website: "由你的服务器生成页面：Express、Next.js、Django、Spring、PHP。它保管一个密钥。",
    browser: "单页应用：React、Vue 或纯 JavaScript。它没有密钥，由 PKCE 保护。",
    native: "用于 iOS、Android、Windows、macOS 或 Linux。它没有密钥，由 PKCE 保护。",
    command_line: "终端中的程序。用户在浏览器中登录，然后返回 127.0.0.1。",
    api: "其他应用用令牌调用的服务器。它也可以获取自己的令牌。",
    machine: "任务、后台进程或脚本。它为自己获取令牌，无人登录。",
  },
  choose: "选择其他类型",
  more: "更多设置",
};
