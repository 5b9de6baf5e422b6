import { html } from "../../html/html.ts";
import type { LoginWords } from "../en/login.ts";
import { plural } from "./plural.ts";

export const loginWords: LoginWords = {
  title: "Fazer login",
  lead: "com seu e-mail e sua senha",
  leadTo: (client) => html`para continuar em ${client}`,
  email: "Endereço de e-mail",
  password: "Senha",
  submit: "Entrar",
  keepSignedIn: {
    label: plural({
      one: (figure) => `Manter a sessão aberta por ${figure} dia`,
      other: (figure) => `Manter a sessão aberta por ${figure} dias`,
    }),
    help: "Somente em um dispositivo seu. Sair encerra a sessão.",
  },
  failures: {
    refused: "E-mail ou senha incorretos.",
    throttled: "Houve tentativas demais.",
    out_of_date: "Este formulário estava desatualizado. Tente novamente.",
  },
  again: {
    title: "Confirme sua identidade",
    asked: (client) => html`Faça login novamente para continuar em ${client}.`,
    tooOld: (client) =>
      html`Já faz algum tempo que você fez login. Faça login novamente para continuar em ${client}.`,
    application: "o aplicativo",
    signedInAs: (name) => html`Você está conectado como ${name}.`,
  },
  why: "Isso impede que outras pessoas adivinhem senhas. Todo o resto funciona como antes.",
  againInSeconds: plural({
    one: (figure) => `Você pode tentar novamente em ${figure} segundo.`,
    other: (figure) => `Você pode tentar novamente em ${figure} segundos.`,
  }),
  againInMinutes: plural({
    one: (figure) => `Você pode tentar novamente em ${figure} minuto.`,
    other: (figure) => `Você pode tentar novamente em ${figure} minutos.`,
  }),
};
