import type { ActionWords } from "../en/actions.ts";

export const actionWords: ActionWords = {
  registerClient: "Registrar este cliente",
  rotateSecret: "Rotar el secreto",
  inviteMember: "Invitar a un miembro",
  changeField: (label) => `Cambiar: ${label}`,
};
