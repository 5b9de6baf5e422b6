import type { WebhookWords } from "../en/webhooks.ts";

export const webhookWords: WebhookWords = {
  ping: "Enviar un evento de prueba",
  testEvent: "Evento de prueba",
  rotateSecret: "Reemplazar el secreto",
  activate: "Activarlo de nuevo",
  stopped: (position) =>
    `El destino recibió todos los eventos hasta la posición ${position}. Los posteriores se conservaron.`,
  resumeKept: "Continuar donde se detuvo",
  resumeNow: "Empezar con eventos nuevos",
  replay: "Enviar eventos de nuevo",
  replayLead:
    "Indica un evento, una hora (UTC) o una posición; se envían como máximo 1000 eventos. Los receptores los reconocen por webhook-id.",
  eventId: "Evento",
  since: "Desde esta hora",
  after: "Después de esta posición",
  ofType: "Tipo",
  sendAgain: "Enviar de nuevo",
  verify: "Cómo verificar una solicitud",
  verifyLead:
    "Verifica el cuerpo tal como se envió, antes de interpretarlo. Guarda webhook-id para reconocer repeticiones.",
  kinds: { node: "JavaScript en Node", python: "Con Python", go: "Con Go" },
};
