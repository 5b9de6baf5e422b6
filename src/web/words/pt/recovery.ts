import { html } from "../../html/html.ts";
import type { RecoveryWords } from "../en/recovery.ts";
import { plural } from "./plural.ts";

export const recoveryWords: RecoveryWords = {
  title: "Perdi todos os segundos fatores",
  back: "Voltar",
  administrator:
    "Você administra este servidor. Peça a outro administrador que redefina seus segundos fatores; não há outra forma.",
  lead: plural({
    one: (figure) =>
      `Sem nenhum dos seus segundos fatores, você pode configurar novos depois de uma espera de ${figure} hora.`,
    other: (figure) =>
      `Sem nenhum dos seus segundos fatores, você pode configurar novos depois de uma espera de ${figure} horas.`,
  }),
  steps: {
    mailbox: "Enviamos um código por e-mail, para saber que a caixa de entrada é sua.",
    mails: "Avisamos por e-mail no início, no meio e no fim da espera. Cada mensagem permite cancelá-la.",
    factors: "Fazer login com um dos seus segundos fatores também a cancela.",
    after:
      "Depois da espera, você volta a este navegador, faz login com sua senha e configura novos segundos fatores.",
  },
  ask: "Enviar um código por e-mail",
  asked: (email) => html`Enviamos um código para ${email}.`,
  label: "Código do e-mail",
  help: (time) => `Os dígitos do e-mail mais recente. Eles são válidos por ${time}.`,
  wrong: "Este não é o código do e-mail mais recente.",
  expired: "Este código expirou, ou houve códigos incorretos demais. Solicite um novo.",
  throttled:
    "Nenhum código foi enviado, porque foram solicitados códigos demais. Tente novamente mais tarde.",
  begin: "Iniciar a espera",
  waiting: (when) => html`A espera começou. Volte a este navegador depois de ${when}.`,
  told: "Você receberá um e-mail quando ela terminar. Se encontrar um dos seus segundos fatores nesse meio-tempo, basta fazer login com ele.",
  elsewhere: (when) =>
    html`Uma espera até ${when} foi iniciada em outro navegador. Continue lá ou cancele-a pelo link da mensagem e comece de novo aqui.`,
  ready:
    "A espera terminou. Seus antigos segundos fatores foram removidos, e todas as suas sessões foram encerradas.",
  finish: "Configurar novos segundos fatores",
  atSignIn: {
    waiting: (when) =>
      html`Você aguarda novos segundos fatores. Será possível configurá-los neste navegador depois de ${when}. Fazer login com um que você tem cancela a espera.`,
    elsewhere: (when) =>
      html`Alguém informa em outro navegador que todos os seus segundos fatores foram perdidos. Novos podem ser configurados lá depois de ${when}. Fazer login com um que você tem cancela isso.`,
    ready: "A espera terminou. Você já pode configurar novos segundos fatores.",
    open: "Configurar",
    look: "Sobre a espera",
  },
  banner: {
    says: (when) =>
      html`Alguém informa que perdeu os segundos fatores da sua conta. Depois de ${when}, será possível configurar novos.`,
    cancel: "Cancelar isso",
  },
  link: {
    title: "Manter seus segundos fatores",
    lead: "Alguém aguarda para substituir os segundos fatores da sua conta. Se não for você, cancele.",
    submit: "Cancelar a substituição",
    doneTitle: "Substituição cancelada",
    done: "Seus segundos fatores foram mantidos. Alguém sabe sua senha e pode ler seus e-mails: altere as duas senhas.",
    deadTitle: "Nada para cancelar",
    dead: "O que este link cancelaria já terminou ou já foi cancelado.",
    secure: "Proteja sua conta",
  },
  code: {
    subject: (server) => `Seu código para ${server}`,
    says: (server) =>
      `Alguém que sabe a senha da sua conta em ${server} informa que perdeu todos os segundos fatores dela. Este código permite solicitar novos:`,
    caution:
      "Não o passe a ninguém e digite-o somente onde você começou a fazer login. Se não foi você, altere sua senha.",
  },
  mails: {
    recovery_started: (when) => `Novos segundos fatores só podem ser configurados depois de ${when}.`,
    recovery_halfway: (when) => `Novos segundos fatores só podem ser configurados depois de ${when}.`,
    recovery_ready: (when) =>
      `Abra o navegador em que você fez a solicitação e faça login lá. Isso é possível até ${when}.`,
  },
};
