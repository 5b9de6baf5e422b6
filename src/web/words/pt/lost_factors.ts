import { html } from "../../html/html.ts";
import type { LostFactorsWords } from "../en/lost_factors.ts";

export const lostFactorsWords: LostFactorsWords = {
  why: "Seus segundos fatores foram removidos.",
  sent: (email) => html`Enviamos um código para ${email}.`,
  label: "Código do e-mail",
  help: (time) => `Os dígitos do e-mail mais recente. Eles são válidos por ${time}.`,
  wrong: "Este não é o código do e-mail mais recente.",
  expired: "Este código expirou. Enviamos um novo.",
  tooMany: "Nenhum código foi enviado, porque foram solicitados códigos demais. Tente novamente mais tarde.",
  mail: {
    subject: (server) => `Seu código para ${server}`,
    says: (server) =>
      `Alguém está fazendo login na sua conta em ${server}. Os segundos fatores dela foram removidos, por isso este código é solicitado uma vez.`,
    code: (code) => `O código é: ${code}`,
    caution:
      "Não o passe a ninguém e digite-o somente onde você começou a fazer login. Se não foi você, altere sua senha.",
  },
  signedIn: {
    title: "Você está conectado",
    lead: "Sua conta não tem um segundo fator agora. Configure um novo, para que somente sua senha não baste.",
    setUp: "Configurar um segundo fator",
    later: "Continuar sem um",
  },
};
