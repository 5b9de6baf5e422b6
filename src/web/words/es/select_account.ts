import { html } from "../../html/html.ts";
import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "Elige una cuenta",
  lead: "¿Con cuál quieres continuar?",
  another: "Usar otra cuenta",
  meanwhile: {
    lead: (present) => html`Has iniciado sesión como ${present} en otra ventana.`,
    goOn: (present) => html`Continuar como ${present}`,
    signInAs: (other) => html`Iniciar sesión como ${other}`,
  },
  organization: {
    title: "Elige una organización",
    lead: (app) => html`¿Con qué organización quieres continuar en ${app}?`,
    last: "Última usada",
    find: "Buscar organizaciones",
    search: "Buscar",
    none: "Ninguna de tus organizaciones coincide.",
    more: "Se muestran las 20 primeras. Busca para encontrar otras.",
    cancel: "Cancelar",
  },
  membersOnly: {
    title: "No puedes usar esta aplicación",
    of: (app, organization) => html`${app} es para miembros de ${organization}.`,
    ofAny: (app) => html`${app} es para miembros de una organización de este servidor.`,
    hint: "Si tienes una invitación, abre el enlace de su correo. Si no, pide a un administrador de la organización que te añada.",
    byRole: {
      of: (app, organization) =>
        html`${app} es para miembros de ${organization} con un rol o grupo determinado.`,
      ofAny: (app) => html`${app} es para miembros de una organización con un rol o grupo determinado.`,
      hint: "Pide acceso a un administrador de la organización.",
    },
    back: "Volver a la aplicación",
  },
};
