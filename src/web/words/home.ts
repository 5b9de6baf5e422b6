import { html, type Printable } from "../html.ts";
import type { Language } from "./language.ts";

const en = {
  title: "Signed in",
  signedIn: "You are signed in.",
  platformAdmin: "Platform administrator",
  lastLogin: (time: Printable) => html`Last sign-in ${time} UTC`,
  apps: "Applications with access",
  since: (day: Printable) => html`since ${day}`,
  noApps: "None yet. Those you allow appear here.",
  signOut: "Sign out",
};

export type HomeWords = typeof en;

const es: HomeWords = {
  title: "Sesión iniciada",
  signedIn: "Has iniciado sesión.",
  platformAdmin: "Administrador de la plataforma",
  lastLogin: (time) => html`Último inicio de sesión: ${time} UTC`,
  apps: "Aplicaciones con acceso",
  since: (day) => html`desde el ${day}`,
  noApps: "Ninguna todavía. Aquí aparecerán las que permitas.",
  signOut: "Cerrar sesión",
};

const zh: HomeWords = {
  title: "已登录",
  signedIn: "您已登录。",
  platformAdmin: "平台管理员",
  lastLogin: (time) => html`上次登录：${time} UTC`,
  apps: "有访问权限的应用",
  since: (day) => html`自 ${day}起`,
  noApps: "暂无。您允许的应用会显示在这里。",
  signOut: "退出登录",
};

export const homeWords: Readonly<Record<Language, HomeWords>> = { en, es, zh };
