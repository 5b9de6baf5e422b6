import type { SetupWords } from "../en/setup.ts";

export const setupWords: SetupWords = {
  title: "初始设置",
  heading: "设置 Postern",
  lead: "创建第一位管理员的账号。此操作只能进行一次。",
  name: "姓名",
  email: "电子邮箱",
  password: "密码",
  passwordHint: "至少 8 个字符。几个互不相关的词比一个生僻的词更安全。",
  submit: "创建管理员",
  doneTitle: "就绪",
  done: "Postern 已就绪",
  doneLead: "第一位管理员已创建，此链接不能再次使用。",
  signIn: "登录",
  waiting: {
    heading: "Postern 尚未完成设置",
    lead: "这里还没有任何账号。",
    where: "服务器启动时输出了设置链接：在终端中，或在日志中。",
    again: "该链接只能使用一次，24 小时内有效。如需新链接，请重启服务器。",
  },
  errors: {
    name: "请填写 1 到 255 个字符的姓名。",
    email: "这不是有效的电子邮箱地址。",
    email_taken: "此电子邮箱已被使用。",
    password_short: "密码太短：至少需要 8 个字符。",
    password_long: "密码太长。",
    password_common: "此密码过于常见。",
  },
};
