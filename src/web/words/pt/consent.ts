import { html } from "../../html/html.ts";
import type { ConsentWords } from "../en/consent.ts";
import { plural } from "./plural.ts";

export const consentWords: ConsentWords = {
  title: (client) => `Permitir ${client}?`,
  heading: (client) => html`Permitir que ${client} use sua conta?`,
  unverified:
    "Este aplicativo é executado no seu próprio dispositivo, então não é possível verificar a identidade dele. Só permita se você acabou de abri-lo.",
  able: "O aplicativo poderá",
  allowedBefore: "Já permitido",
  ownWords: "Descrito pelo aplicativo",
  undescribed: "Nenhuma descrição foi dada",
  organization: "Organização",
  details: "Dados sobre você",
  as: "Conectado como",
  registeredBy: "Registrado por",
  beforeNow: "Último uso",
  neverUsed: "Nunca com esta conta",
  goesTo: "Depois, você volta para",
  moreScopes: plural({ one: (figure) => `mais ${figure}`, other: (figure) => `mais ${figure}` }),
  website: "Site",
  policy: "Política de privacidade",
  terms: "Termos de serviço",
  deny: "Negar",
  allow: "Permitir",
};
