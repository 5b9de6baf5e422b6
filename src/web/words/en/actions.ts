import { inSentence } from "../parts/in_sentence.ts";

export const actionWords = {
  registerClient: "Register this client",
  resetFactors: "Reset second factors",
  sendPasswordReset: "Send reset link",
  exportData: "Export data",
  rotateSecret: "Rotate the secret",
  previewTokens: "Preview tokens",
  inviteMember: "Invite a member",
  retryNotice: "Send again",
  testNotice: "Send a test notice",
  makePublic: "Make it a public app",
  changeField: (label: string) => `Change ${inSentence(label)}`,
};

export type ActionWords = typeof actionWords;
