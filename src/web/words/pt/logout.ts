import { html } from "../../html/html.ts";
import type { LogoutWords } from "../en/logout.ts";

export const logoutWords: LogoutWords = {
  title: "Sair?",
  asks: (client) => html`${client} pede para encerrar sua sessão aqui.`,
  signsOut: "Sua sessão neste navegador será encerrada.",
  offline: "Os aplicativos que podem manter o acesso quando você não está presente continuarão com ele.",
  keeping: "Estes aplicativos mantêm o acesso à sua conta:",
  stay: "Continuar conectado",
  submit: "Sair",
  submitEverything: "Sair de todos os dispositivos e encerrar todos os acessos",
  doneTitle: "Sessão encerrada",
  done: "Você saiu",
  safe: "Você já pode fechar esta janela.",
  noneTitle: "Sem sessão iniciada",
  none: "Você não está conectado aqui",
  noneEnded:
    "Nenhuma sessão foi encerrada. Se você está conectado em outro dispositivo ou navegador, saia por lá.",
  unregistered: "Você não volta para o aplicativo: o endereço solicitado não está registrado para ele.",
  unproven: "Você não volta para o aplicativo: ele não comprovou qual aplicativo é.",
  returnTo: (client) => html`Voltar para ${client}`,
  returnToApplication: "Voltar para o aplicativo",
  leadsTo: (place) => html`O link leva a ${place}.`,
  again: "Fazer login novamente",
};
