import type { NewAppWords } from "../en/new_app.ts";

export const newAppWords: NewAppWords = {
  help: {
    website: "由你的服务器生成页面：Express、Next.js、Django、Spring、PHP。它保管一个密钥。",
    browser:
      "没有自有服务器的单页应用，没有密钥。PKCE 保护登录，但注入的脚本可能复制令牌。更安全的做法：网站由服务器替页面保管令牌（BFF）。",
    native: "用于 iOS、Android、Windows、macOS 或 Linux。它没有密钥，由 PKCE 保护。",
    command_line: "终端中的程序。用户在浏览器中登录，然后返回 127.0.0.1。",
    api: "其他应用用令牌调用的服务器。它也可以获取自己的令牌。",
    machine: "任务、后台进程或脚本。它为自己获取令牌，无人登录。",
  },
  bindTokens: "如果令牌留在浏览器中，请用 DPoP 绑定它们。",
  choose: "选择其他类型",
  more: "更多设置",
};
