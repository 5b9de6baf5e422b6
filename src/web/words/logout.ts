import { html, type Printable } from "../html.ts";
import type { Language } from "./language.ts";

const en = {
  title: "Sign out?",
  asks: (client: Printable) => html`${client} asks to sign you out here.`,
  signsOut: "You will be signed out in this browser.",
  offline: "Applications you let keep access while you are away will keep it.",
  stay: "Stay signed in",
  submit: "Sign out",
  doneTitle: "Signed out",
  done: "You are signed out",
  safe: "It is safe to close this window.",
  returnTo: (client: Printable) => html`Return to ${client}`,
  returnToApplication: "Return to the application",
  leadsTo: (place: Printable) => html`The link leads to ${place}.`,
  again: "Sign in again",
};

export type LogoutWords = typeof en;

const es: LogoutWords = {
  title: "¿Cerrar sesión?",
  asks: (client) => html`${client} pide cerrar tu sesión aquí.`,
  signsOut: "Se cerrará tu sesión en este navegador.",
  offline: "Las aplicaciones a las que permitiste conservar el acceso cuando no estás lo conservarán.",
  stay: "Seguir con la sesión iniciada",
  submit: "Cerrar sesión",
  doneTitle: "Sesión cerrada",
  done: "Has cerrado la sesión",
  safe: "Ya puedes cerrar esta ventana.",
  returnTo: (client) => html`Volver a ${client}`,
  returnToApplication: "Volver a la aplicación",
  leadsTo: (place) => html`El enlace lleva a ${place}.`,
  again: "Volver a iniciar sesión",
};

const zh: LogoutWords = {
  title: "退出登录？",
  asks: (client) => html`${client} 请求让您在此退出登录。`,
  signsOut: "您将在此浏览器中退出登录。",
  offline: "您允许在您离开时保留访问权限的应用将继续保留该权限。",
  stay: "保持登录",
  submit: "退出登录",
  doneTitle: "已退出登录",
  done: "您已退出登录",
  safe: "现在可以放心关闭此窗口。",
  returnTo: (client) => html`返回 ${client}`,
  returnToApplication: "返回应用",
  leadsTo: (place) => html`该链接通向 ${place}。`,
  again: "重新登录",
};

export const logoutWords: Readonly<Record<Language, LogoutWords>> = { en, es, zh };
