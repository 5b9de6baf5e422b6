import type { SetupWords } from "../en/setup.ts";

export const setupWords: SetupWords = {
  title: "初始设置",
  heading: "设置 Postern",
  lead: "创建第一位管理员的账号。此操作只能进行一次。",
  name: "姓名",
  email: "电子邮箱",
  password: "密码",
  submit: "创建管理员",
  doneTitle: "就绪",
  done: "Postern 已就绪",
  doneLead: "第一位管理员已创建，此链接不能再次使用。",
  signIn: "登录",
  waiting: {
    heading: "Postern 尚未完成设置",
    lead: "这里还没有任何账号。",
    where: "服务器启动时输出了设置链接：在终端中，或在日志中。",
    again: (time) => `该链接只能使用一次，${time}内有效。如需新链接，请重启服务器。`,
  },
  errors: {
    email: "这不是有效的电子邮箱地址。",
    email_taken: "此电子邮箱已被使用。",
    password_short: "密码太短。",
    password_long: "密码太长。",
    password_common: "此密码过于常见。",
  },
};
