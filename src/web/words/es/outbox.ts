import type { OutboxWords } from "../en/outbox.ts";

export const outboxWords: OutboxWords = {
  title: "Bandeja de salida",
  open: "Mensajes que se habrían enviado",
  eyebrow: "Datos de demostración, solo en este equipo",
  lead: "Correos que se habrían enviado. En desarrollo, nada sale de este equipo.",
  to: "Para",
  empty: "Todavía no hay mensajes. Pide una contraseña nueva y el enlace aparecerá aquí.",
  askForOne: "Pedir una contraseña nueva",
  backToWalk: "Volver al recorrido",
};
