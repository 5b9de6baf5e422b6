import type { ActionWords } from "../en/actions.ts";

export const actionWords: ActionWords = {
  rotateSecret: "Rotar el secreto",
  inviteMember: "Invitar a un miembro",
  changeField: (label) => `Cambiar: ${label}`,
};
