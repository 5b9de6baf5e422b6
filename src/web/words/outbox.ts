/** What the page with the mails of `postern dev` says. */
import type { Language } from "./language.ts";

const en = {
  title: "Outbox",
  open: "Mails that would have been sent",
  eyebrow: "Demo data, on this machine only",
  lead: "What would have been sent by mail. In development nothing leaves this machine.",
  to: "To",
  empty: "No mail yet. Ask for a new password, and the link appears here.",
  askForOne: "Ask for a new password",
  backToWalk: "Back to the walk",
};

export type OutboxWords = typeof en;

const es: OutboxWords = {
  title: "Bandeja de salida",
  open: "Mensajes que se habrían enviado",
  eyebrow: "Datos de demostración, solo en este equipo",
  lead: "Lo que se habría enviado por correo. En desarrollo, nada sale de este equipo.",
  to: "Para",
  empty: "Todavía no hay mensajes. Pide una contraseña nueva y el enlace aparecerá aquí.",
  askForOne: "Pedir una contraseña nueva",
  backToWalk: "Volver al recorrido",
};

const zh: OutboxWords = {
  title: "发件箱",
  open: "本应发送的邮件",
  eyebrow: "演示数据，仅限本机",
  lead: "本应通过邮件发送的内容。在开发模式下，任何邮件都不会离开本机。",
  to: "收件人",
  empty: "还没有邮件。申请新密码后，链接会显示在这里。",
  askForOne: "申请新密码",
  backToWalk: "返回演示流程",
};

export const outboxWords: Readonly<Record<Language, OutboxWords>> = { en, es, zh };
