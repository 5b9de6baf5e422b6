import type { Language } from "./language.ts";

/** What stands around every page. */
const en = {
  skip: "Skip to content",
  tagline: "Postern, sign-in by OpenID Connect",
  runsOn: (server: string) => `${server} runs on Postern`,
  language: "Language",
  faces: "Account and console",
  account: "Account",
  console: "Console",
  signOut: "Sign out",
  crumbs: "Where this page is",
  copy: "Copy",
  copied: "Copied",
  showPassword: "Show password",
  hidePassword: "Hide password",
};

export type FrameWords = typeof en;

const es: FrameWords = {
  skip: "Ir al contenido",
  tagline: "Postern, inicio de sesión con OpenID Connect",
  runsOn: (server) => `${server} funciona con Postern`,
  language: "Idioma",
  faces: "Cuenta y consola",
  account: "Cuenta",
  console: "Consola",
  signOut: "Cerrar sesión",
  crumbs: "Dónde está esta página",
  copy: "Copiar",
  copied: "Copiado",
  showPassword: "Mostrar contraseña",
  hidePassword: "Ocultar contraseña",
};

const zh: FrameWords = {
  skip: "跳到正文",
  tagline: "Postern：基于 OpenID Connect 的登录服务",
  runsOn: (server) => `${server} 由 Postern 提供支持`,
  language: "语言",
  faces: "账户与控制台",
  account: "账户",
  console: "控制台",
  signOut: "退出登录",
  crumbs: "本页位置",
  copy: "复制",
  copied: "已复制",
  showPassword: "显示密码",
  hidePassword: "隐藏密码",
};

export const frameWords: Readonly<Record<Language, FrameWords>> = { en, es, zh };
