import { html } from "../../html/html.ts";
import type { SelectAccountWords } from "../en/select_account.ts";

export const selectAccountWords: SelectAccountWords = {
  title: "Escolher uma conta",
  lead: "Com qual conta você quer continuar?",
  another: "Usar outra conta",
  meanwhile: {
    lead: (present) => html`Você entrou como ${present} em outra janela.`,
    goOn: (present) => html`Continuar como ${present}`,
    signInAs: (other) => html`Fazer login como ${other}`,
  },
  organization: {
    title: "Escolher uma organização",
    lead: (app) => html`Com qual organização você quer continuar em ${app}?`,
    last: "Usada por último",
    find: "Buscar organizações",
    search: "Buscar",
    none: "Nenhuma das suas organizações corresponde.",
    more: "Exibindo as 20 primeiras. Busque para encontrar outras.",
    cancel: "Cancelar",
  },
  membersOnly: {
    title: "Você não pode usar este aplicativo",
    of: (app, organization) => html`${app} é para membros de ${organization}.`,
    ofAny: (app) => html`${app} é para membros de uma organização deste servidor.`,
    hint: "Se você tem um convite, abra o link do e-mail dele. Caso contrário, peça a um administrador da organização para adicionar você.",
    byRole: {
      of: (app, organization) =>
        html`${app} é para membros de ${organization} com determinado papel ou grupo.`,
      ofAny: (app) => html`${app} é para membros de uma organização com determinado papel ou grupo.`,
      hint: "Peça acesso a um administrador da organização.",
    },
    back: "Voltar ao aplicativo",
  },
};
