import { html } from "../../html/html.ts";
import type { SecondFactorWords } from "../en/second_factor.ts";
import { plural } from "./plural.ts";

export const secondFactorWords: SecondFactorWords = {
  title: "Segunda etapa",
  lead: (email) => html`Confirme mais uma vez que é você, ${email}.`,
  submit: "Continuar",
  cancel: "Cancelar",
  others: "Outros métodos",
  lost: "Perdi todos eles",
  ways: {
    passkey: "Usar uma chave de acesso",
    totp: "Usar um aplicativo autenticador",
    recovery_code: "Usar um código de recuperação",
    mail_code: "Usar um código por e-mail",
  },
  totp: {
    label: "Código do seu aplicativo autenticador",
    help: "Os 6 dígitos que o aplicativo mostra agora.",
    wrong: "Este código está incorreto ou já foi usado. Digite o que o aplicativo mostra agora.",
    late: "Este código é de alguns minutos atrás: o relógio do seu dispositivo está diferente. Deixe o dispositivo ajustar a hora automaticamente e digite um novo código.",
  },
  recoveryCode: {
    label: "Código de recuperação",
    help: "Um dos códigos de 16 caracteres que você guardou. Cada um funciona uma vez.",
    wrong: "Este não é um dos seus códigos de recuperação ou já foi usado.",
  },
  remember: {
    label: plural({
      one: (figure) => `Não perguntar neste dispositivo por ${figure} dia`,
      other: (figure) => `Não perguntar neste dispositivo por ${figure} dias`,
    }),
    help: "Somente em um dispositivo seu. Sua senha continua sendo solicitada.",
  },
  passkey: { none: "Nenhuma das suas chaves de acesso funciona aqui. Escolha outro método." },
  ended: {
    title: "Códigos incorretos demais",
    lead: "Para sua segurança, este login foi encerrado. Comece novamente com sua senha.",
    again: "Fazer login novamente",
  },
  used: {
    title: "Você está conectado",
    advice:
      "Se você perdeu seu aplicativo autenticador, remova-o e adicione outro. Novos códigos substituem os que você tem.",
    security: "Segurança da sua conta",
    goOn: "Continuar",
  },
};
