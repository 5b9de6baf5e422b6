import type { OutboxWords } from "../en/outbox.ts";

export const outboxWords: OutboxWords = {
  title: "发件箱",
  open: "本应发送的邮件",
  eyebrow: "演示数据，仅限本机",
  lead: "本应发送的邮件。在开发模式下，任何邮件都不会离开本机。",
  to: "收件人",
  empty: "还没有邮件。申请新密码后，链接会显示在这里。",
  askForOne: "申请新密码",
  backToWalk: "返回演示流程",
};
