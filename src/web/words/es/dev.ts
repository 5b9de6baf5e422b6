import type { DevWords } from "../en/dev.ts";

export const devWords: DevWords = {
  title: "Recorrer el flujo de código",
  eyebrow: "Datos de demostración, solo en este equipo",
  heading: "El flujo de código de autorización, paso a paso",
  lead: "Cada solicitud que pasa entre la aplicación, tu navegador y este servidor, con su respuesta, tal como viajó por la red.",
  demoData: "Datos de demostración",
  signInAs: "Inicia sesión como",
  clients: "Clientes",
  kinds: { confidential: "confidencial", public: "público", machine: "máquina" },
  nothingSent: "Todavía no se ha enviado nada. Inicia el flujo y su primera solicitud aparecerá aquí.",
  actions: {
    reset: "Empezar de nuevo",
    start: (client) => `Empezar como «${client}»`,
    machine: (client) => `Obtener un token como «${client}»`,
  },
};
