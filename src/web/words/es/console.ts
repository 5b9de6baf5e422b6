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
  reference: "Referencia de la API",
  openApi: "Documento OpenAPI",
  version: (version) => `Versión ${version}`,
  showApiNames: "Mostrar nombres de la API",
  hideApiNames: "Ocultar nombres de la API",
  sections: {
    overview: "Resumen",
    clients: "Aplicaciones",
    people: "Personas",
    machines: "Máquinas",
    activity: "Actividad",
    server: "Servidor",
  },
};
