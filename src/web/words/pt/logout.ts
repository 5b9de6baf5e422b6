import { html } from "../../html.ts";
import type { LogoutWords } from "../en/logout.ts";

export const logoutWords: LogoutWords = {
  title: "Sair?",
  asks: (client) => html`${client} pede para encerrar sua sessão aqui.`,
  signsOut: "Sua sessão neste navegador será encerrada.",
  offline: "Os aplicativos que podem manter o acesso quando você não está presente continuarão com ele.",
  stay: "Continuar conectado",
  submit: "Sair",
  doneTitle: "Sessão encerrada",
  done: "Você saiu",
  safe: "Você já pode fechar esta janela.",
  returnTo: (client) => html`Voltar para ${client}`,
  returnToApplication: "Voltar para o aplicativo",
  leadsTo: (place) => html`O link leva a ${place}.`,
  again: "Fazer login novamente",
};
