import type { OpenClientsWords } from "../en/open_clients.ts";
import { plural } from "./plural.ts";

export const openClientsWords: OpenClientsWords = {
  title: "Clientes abiertos",
  lead: "Clientes que nadie registró aquí: llegaron con un documento propio o se registraron solos. Los que nadie usa se van solos.",
  count: plural({
    one: (figure) => `${figure} cliente`,
    other: (figure) => `${figure} clientes`,
  }),
  choose: "Elegir",
  client: "Cliente",
  origin: "Llegó de",
  came: "Llegó el",
  used: "Último token",
  never: "nunca",
  people: "Personas",
  unknown: "desconocido",
  none: "Ningún cliente llegó solo",
  noneLead:
    "Los clientes llegan cuando el perfil del Model Context Protocol está activo y una API está abierta para ellos.",
  older: "Anteriores",
  remove: "Eliminar los elegidos",
  removeUnused: "Eliminar los que nunca se usaron",
  nothingChosen: "Elige al menos un cliente.",
  confirmTitle: "¿Eliminar estos clientes?",
  confirmLead:
    "Sus tokens terminan enseguida y se olvida lo que se les permitió. Un cliente que vuelva empieza de nuevo.",
  confirmUnused: "Se elimina todo cliente abierto que nunca recibió un token y al que nadie permitió nada.",
  confirm: "Eliminar",
  cancel: "Dejarlos",
  register: {
    title: "Registrar este cliente",
    lead: "Pasa a ser una aplicación de este servidor con un nombre elegido por ti.",
    named: "Su página de consentimiento muestra tu nombre, y ya no dice que nadie lo conoce.",
    kept: "Conserva sus redirect URIs, sus claves y lo que puede pedir; cámbialo en su página.",
    unread: "Su documento ya no se lee, y el cliente no se va solo cuando nadie lo usa.",
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
