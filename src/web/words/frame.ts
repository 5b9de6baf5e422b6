import type { Language } from "./language.ts";

/** What stands around every page. */
const en = {
  skip: "Skip to content",
  tagline: "Postern, sign-in by OpenID Connect",
  runsOn: (server: string) => `${server} runs on Postern`,
  language: "Language",
};

export type FrameWords = typeof en;

const es: FrameWords = {
  skip: "Ir al contenido",
  tagline: "Postern, inicio de sesión con OpenID Connect",
  runsOn: (server) => `${server} funciona con Postern`,
  language: "Idioma",
};

const zh: FrameWords = {
  skip: "跳到正文",
  tagline: "Postern：基于 OpenID Connect 的登录服务",
  runsOn: (server) => `${server} 由 Postern 提供支持`,
  language: "语言",
};

export const frameWords: Readonly<Record<Language, FrameWords>> = { en, es, zh };
