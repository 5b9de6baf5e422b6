import type { ConsoleWords } from "../en/console.ts";

export const consoleWords: ConsoleWords = {
  title: "Consola",
  dashboard: "Panel",
  housekeeping: "Mantenimiento",
  sections: {
    overview: "Resumen",
    clients: "Aplicaciones",
    people: "Personas",
    machines: "Máquinas",
    activity: "Actividad",
    server: "Servidor",
  },
};
