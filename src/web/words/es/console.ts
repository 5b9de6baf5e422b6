import type { ConsoleWords } from "../en/console.ts";

export const consoleWords: ConsoleWords = {
  title: "Consola",
  dashboard: "Panel",
  housekeeping: "Mantenimiento",
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
