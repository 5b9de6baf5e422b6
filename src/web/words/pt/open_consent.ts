import { html } from "../../html/html.ts";
import type { OpenConsentWords } from "../en/open_consent.ts";

export const openConsentWords: OpenConsentWords = {
  unknown: "um aplicativo desconhecido",
  verified: "Endereço verificado",
  unproven: "Registrou-se por conta própria, não verificado",
  callsItself: (name) => html`Ele se apresenta como ${name}.`,
  saidByItself: "Segundo o próprio aplicativo; não verificado",
  hiddenName: {
    deceptive: "O nome que ele dá a si mesmo não é exibido: está escrito de um jeito que poderia enganar.",
    resembles:
      "O nome que ele dá a si mesmo não é exibido: poderia ser confundido com o de outro aplicativo.",
  },
  warning: {
    loopback:
      "A resposta vai para um programa neste dispositivo, e não é possível verificar qual. Só permita se você acabou de abri-lo.",
    private_scheme:
      "A resposta vai para o programa deste dispositivo que abre esse tipo de endereço, e não é possível verificar qual. Só permita se você acabou de abri-lo.",
  },
  answersAt: (places) => html`As respostas vão para ${places}.`,
  newly: "Novo: o aplicativo poderá",
  already: "Já permitido",
  at: "Em",
  identifier: "Identificador",
};
