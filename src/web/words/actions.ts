import type { Language } from "./language.ts";

/** What else can be done with a record, beside what can be done with every record. */
const en = {
  rotateSecret: "Rotate the secret",
  inviteMember: "Invite a member",
  changeField: (label: string) => `Change: ${label}`,
};

export type ActionWords = typeof en;

const es: ActionWords = {
  rotateSecret: "Rotar el secreto",
  inviteMember: "Invitar a un miembro",
  changeField: (label) => `Cambiar: ${label}`,
};

const zh: ActionWords = {
  rotateSecret: "轮换密钥",
  inviteMember: "邀请成员",
  changeField: (label) => `更改：${label}`,
};

export const actionWords: Readonly<Record<Language, ActionWords>> = { en, es, zh };
