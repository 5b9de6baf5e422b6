import { html } from "../../html/html.ts";
import type { SudoWords } from "../en/sudo.ts";
import { plural } from "./plural.ts";

export const sudoWords: SudoWords = {
  title: "Confirme sua identidade",
  lead: "Você está prestes a alterar algo que protege sua conta ou a de outras pessoas. Nada foi alterado ainda.",
  password: "Senha",
  wrongPassword: "Esta senha está incorreta.",
  mailboxLead: (email) => html`Podemos enviar um código para ${email}.`,
  providerLead: "Faça login lá mais uma vez. Depois, você volta para cá.",
  confirmWith: (provider) => `Confirmar com ${provider}`,
  confirmedLead: "Sua identidade foi confirmada. Conclua o que começou.",
  finish: "Concluir",
  sendAgain: (time) =>
    `O que você preencheu era longo demais para ser guardado. Volte e envie novamente: por ${time}, nada mais será solicitado.`,
  sendMailCode: "Enviar um código",
  mailCodeLabel: "Código do e-mail",
  mailCodeHelp: (time) => `Funciona uma vez, por ${time}.`,
  wrongMailCode: "Este código está incorreto ou expirou.",
  mailSubject: (server) => `Seu código para ${server}`,
  mailAsked: (server) =>
    `Você está prestes a alterar, em ${server}, algo que protege sua conta. Confirme com este código:`,
  mailMinutes: plural({
    one: (figure) => `Ele funciona uma vez, por ${figure} minuto.`,
    other: (figure) => `Ele funciona uma vez, por ${figure} minutos.`,
  }),
  mailOther:
    "Se não foi você, outra pessoa está conectada à sua conta: encerre suas sessões e avise um administrador do servidor.",
  throttled: "Houve tentativas demais em pouco tempo.",
  changedMeanwhile: "Você confirmou no mesmo momento em outra janela. Confirme aqui mais uma vez.",
  noWay:
    "Nada que permita confirmar aqui está configurado na sua conta. Um administrador do servidor pode ajudar você.",
  lostPasskey: "Não tenho mais esta chave de acesso",
  cancel: "Cancelar",
  submit: "Confirmar e continuar",
};
