import type { OpenClientsWords } from "../en/open_clients.ts";
import { plural } from "./plural.ts";

export const openClientsWords: OpenClientsWords = {
  title: "Clientes abiertos",
  lead: "Clientes que ningún administrador registró: publicaron un documento de metadatos o se registraron ellos mismos. Los que no se usan se eliminan automáticamente.",
  count: plural({
    one: (figure) => `${figure} cliente`,
    other: (figure) => `${figure} clientes`,
  }),
  choose: "Elegir",
  client: "Cliente",
  origin: "Origen",
  came: "Visto por primera vez",
  used: "Último token",
  never: "nunca",
  people: "Personas",
  unknown: "desconocido",
  none: "Ningún cliente llegó solo",
  noneLead:
    "Los clientes aparecen aquí cuando el perfil del Model Context Protocol está activo y una API está abierta para ellos.",
  older: "Anteriores",
  remove: "Eliminar los elegidos",
  removeUnused: "Eliminar los que nunca se usaron",
  nothingChosen: "Elige al menos un cliente.",
  confirmTitle: "¿Eliminar estos clientes?",
  confirmLead:
    "Sus tokens y consentimientos se revocan de inmediato. Un cliente que vuelva empieza de nuevo.",
  confirmUnused: "Elimina todo cliente abierto que nunca recibió un token ni un consentimiento.",
  confirm: "Eliminar",
  cancel: "Dejarlos",
  register: {
    title: "Registrar este cliente",
    lead: "Pasa a ser una aplicación de este servidor con un nombre elegido por ti.",
    named: "Su página de consentimiento muestra tu nombre, y ya no dice que nadie lo conoce.",
    kept: "Conserva sus redirect URIs, sus claves y sus scopes permitidos; cámbialos en su página.",
    unread: "Su documento ya no se lee, y el cliente ya no se elimina cuando no se usa.",
    tokens: "Los tokens y los consentimientos quedan como están.",
    client: "Su dirección",
    claimed: "Se llama a sí mismo",
    name: "Tu nombre para él",
    submit: "Registrar",
    cancel: "Dejarlo abierto",
  },
  removed: plural({
    one: (figure) => `Se eliminó ${figure} cliente.`,
    other: (figure) => `Se eliminaron ${figure} clientes.`,
  }),
};
