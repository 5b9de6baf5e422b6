import type { Language } from "./language.ts";

const en = {
  title: "Choose an account",
  lead: "Which one do you want to go on with?",
  another: "Use another account",
};

export type SelectAccountWords = typeof en;

const es: SelectAccountWords = {
  title: "Elige una cuenta",
  lead: "¿Con cuál quieres continuar?",
  another: "Usar otra cuenta",
};

const zh: SelectAccountWords = {
  title: "选择账号",
  lead: "您想使用哪个账号继续？",
  another: "使用其他账号",
};

export const selectAccountWords: Readonly<Record<Language, SelectAccountWords>> = { en, es, zh };
