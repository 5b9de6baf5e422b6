import type { ActionWords } from "../en/actions.ts";
import { inSentence } from "../parts/in_sentence.ts";

export const actionWords: ActionWords = {
  registerClient: "Registrar este cliente",
  resetFactors: "Restablecer los segundos factores",
  sendPasswordReset: "Enviar enlace para restablecer",
  exportData: "Exportar datos",
  rotateSecret: "Rotar el secreto",
  previewTokens: "Ver los tokens por adelantado",
  inviteMember: "Invitar a un miembro",
  retryNotice: "Enviar de nuevo",
  testNotice: "Enviar un aviso de prueba",
  makePublic: "Convertirla en aplicación pública",
  changeField: (label) => `Cambiar ${inSentence(label)}`,
};
