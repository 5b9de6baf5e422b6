import { html } from "../../html/html.ts";
import type { ConsoleWords } from "../en/console.ts";

export const consoleWords: ConsoleWords = {
  title: "Consola",
  dashboard: "Panel",
  housekeeping: "Mantenimiento",
  search: "Buscar",
  searchAll: "Buscar en todos los registros",
  results: (query) => `Resultados de «${query}»`,
  noResults: "Sin resultados",
  searchLead: "Busca por cualquier parte de un nombre, un correo o un client ID, o por un ID completo.",
  searchUnread:
    "En estas listas solo se buscó en los registros más recientes, sin resultados. Busca en una lista completa:",
  reference: "Referencia de la API",
  openApi: "Documento OpenAPI",
  version: (version) => `Versión ${version}`,
  showApiNames: "Mostrar nombres de la API",
  hideApiNames: "Ocultar nombres de la API",
  organization: {
    label: "Organización",
    all: "Todas las organizaciones",
    more: "Buscar otra organización",
    choose: "Elegir una organización",
    lead: "Las listas, las cifras y los registros nuevos serán los de esta organización.",
    find: "Buscar una organización por su nombre",
    narrow: "Hay más. Busca por el nombre.",
    first: "Administras muchas organizaciones. Elige una para ver sus cifras.",
    showAll: "Mostrar todas las organizaciones",
    none: (records, organization) => html`${organization} no tiene registros: ${records.toLowerCase()}`,
    everywhere: "No pertenecen a ninguna organización, así que se muestran todos.",
  },
  sections: {
    overview: "Resumen",
    clients: "Aplicaciones",
    people: "Personas",
    machines: "Máquinas",
    activity: "Actividad",
    server: "Servidor",
  },
};
