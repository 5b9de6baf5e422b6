import { html } from "../../html/html.ts";
import type { LostPasskeyWords } from "../en/lost_passkey.ts";
import { plural } from "./plural.ts";

export const lostPasskeyWords: LostPasskeyWords = {
  title: "Não tenho mais minha chave de acesso",
  administrator:
    "Você administra este servidor. Peça a outro administrador que remova sua chave de acesso; não há outra forma.",
  tooLittleLeft: (lost) =>
    `Para isso, são necessários uma senha ou uma conta vinculada e outro segundo fator. Você não tem os dois. Saia, faça login com sua senha ou conta vinculada e escolha “${lost}” quando um segundo fator for solicitado. Se não tiver nenhuma das duas, fale com um administrador do servidor.`,
  lead: plural({
    one: (figure) => `A chave de acesso é removida depois de uma espera de ${figure} hora.`,
    other: (figure) => `A chave de acesso é removida depois de uma espera de ${figure} horas.`,
  }),
  going: "Será removida:",
  steps: {
    proofs: "Você confirma com dois fatores que ainda tem e com um código que enviamos por e-mail.",
    mails:
      "Avisamos por e-mail no início, no meio e antes do fim da espera. Cada mensagem permite cancelá-la.",
    use: "Usar a chave de acesso também a cancela.",
    after:
      "Depois da espera, seus outros fatores confirmam as alterações da sua conta, e você pode adicionar uma nova chave de acesso.",
  },
  waiting: (when) =>
    html`A espera começou. A chave de acesso é removida depois de ${when}. Se a encontrar nesse meio-tempo, basta usá-la.`,
  banner: (when) =>
    html`Alguém informa que não tem mais a chave de acesso da sua conta. Ela é removida depois de ${when}.`,
  link: {
    title: "Manter sua chave de acesso",
    lead: "Alguém informa que não tem mais a chave de acesso da sua conta, e ela será removida. Se não for você, cancele.",
    done: "Sua chave de acesso foi mantida. Alguém sabe sua senha, tem outro fator seu e pode ler seus e-mails: altere as duas senhas e remova os fatores que não forem seus.",
  },
  codeSays: (server) =>
    `Alguém conectado à sua conta em ${server} informa que não tem mais a chave de acesso dela. Este código permite removê-la:`,
  mailUntil: (when) =>
    `A chave de acesso é removida depois de ${when}, a menos que isso seja cancelado ou que ela seja usada.`,
};
